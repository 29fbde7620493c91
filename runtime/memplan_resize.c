/* Resampling of the last two axes through maps that memplan has worked out. */
#include "memplan_support.h"

MEMPLAN_KERNEL void memplan_resize_nearest(const void *x, void *y, size_t width, const int32_t *rows,
                                           const int32_t *columns, const memplan_resizing *s)
{
    const uint8_t *plane = x;
    uint8_t *to = y;

    for (int32_t p = 0; p < s->planes; p++) {
        for (int32_t i = 0; i < s->out[0]; i++) {
            const uint8_t *const row = &plane[(size_t)rows[i] * (size_t)s->in[1] * width];

            for (int32_t j = 0; j < s->out[1]; j++) {
                (void)memcpy(to, &row[(size_t)columns[j] * width], width);
                to = &to[width];
            }
        }
        plane = &plane[(size_t)s->in[0] * (size_t)s->in[1] * width];
    }
}

MEMPLAN_KERNEL void memplan_resize_linear_f32(const float *x, float *y, const memplan_tap *rows,
                                              const memplan_tap *columns, const memplan_resizing *s)
{
    const float *plane = x;

    for (int32_t p = 0; p < s->planes; p++) {
        for (int32_t i = 0; i < s->out[0]; i++) {
            const float *const upper = &plane[rows[i].first * s->in[1]];
            const float *const lower = &plane[rows[i].second * s->in[1]];
            const float down = rows[i].part;

            for (int32_t j = 0; j < s->out[1]; j++) {
                const memplan_tap *const column = &columns[j];
                const float right = column->part;

                *y = ((1.0f - down) * (((1.0f - right) * upper[column->first]) + (right * upper[column->second]))) +
                     (down * (((1.0f - right) * lower[column->first]) + (right * lower[column->second])));
                y++;
            }
        }
        plane = &plane[s->in[0] * s->in[1]];
    }
}

MEMPLAN_INLINE void resize_bytes(const void *x, void *y, const memplan_tap *rows, const memplan_tap *columns,
                                 const memplan_resizing *s, int32_t zero, bool is_signed)
{
    int32_t plane = 0;
    int32_t at = 0;

    for (int32_t p = 0; p < s->planes; p++) {
        for (int32_t i = 0; i < s->out[0]; i++) {
            const int32_t upper = plane + (rows[i].first * s->in[1]);
            const int32_t lower = plane + (rows[i].second * s->in[1]);
            const float down = rows[i].part;

            for (int32_t j = 0; j < s->out[1]; j++) {
                const memplan_tap *const column = &columns[j];
                const float right = column->part;
                const float a = memplan_distance_8(x, upper + column->first, zero, is_signed);
                const float b = memplan_distance_8(x, upper + column->second, zero, is_signed);
                const float c = memplan_distance_8(x, lower + column->first, zero, is_signed);
                const float d = memplan_distance_8(x, lower + column->second, zero, is_signed);

                memplan_store_8(y, at,
                                ((1.0f - down) * (((1.0f - right) * a) + (right * b))) +
                                    (down * (((1.0f - right) * c) + (right * d))),
                                zero, is_signed);
                at++;
            }
        }
        plane += s->in[0] * s->in[1];
    }
}

MEMPLAN_KERNEL void memplan_resize_linear_u8(const uint8_t *x, uint8_t *y, const memplan_tap *rows,
                                             const memplan_tap *columns, const memplan_resizing *s, int32_t zero)
{
    resize_bytes(x, y, rows, columns, s, zero, MEMPLAN_UNSIGNED);
}

MEMPLAN_KERNEL void memplan_resize_linear_s8(const int8_t *x, int8_t *y, const memplan_tap *rows,
                                             const memplan_tap *columns, const memplan_resizing *s, int32_t zero)
{
    resize_bytes(x, y, rows, columns, s, zero, MEMPLAN_SIGNED);
}
