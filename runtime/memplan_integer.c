/* Products of 8-bit integers that stay 32-bit integers, with zero points that are known at run time alone. */
#include "memplan_support.h"

/* A zero point; there may be none. */
MEMPLAN_INLINE int32_t integer_zero(const void *zero, int32_t at, bool is_signed)
{
    return (zero == NULL) ? 0 : memplan_load_8(zero, at, is_signed);
}

MEMPLAN_INLINE int32_t integer_window(const void *x, bool x_signed, const void *weight, bool w_signed, int32_t image,
                                      int32_t filter, const memplan_window *s, const int32_t *place,
                                      const int32_t *zero)
{
    const int32_t first_i = memplan_first_tap(place[0], s->dilation[0]);
    const int32_t first_j = memplan_first_tap(place[1], s->dilation[1]);
    const int32_t end_i = memplan_end_tap(place[0], s->dilation[0], s->kernel[0], s->in[0]);
    const int32_t end_j = memplan_end_tap(place[1], s->dilation[1], s->kernel[1], s->in[1]);
    int32_t sum = 0;

    for (int32_t c = 0; c < s->in_channels; c++) {
        for (int32_t i = first_i; i < end_i; i++) {
            for (int32_t j = first_j; j < end_j; j++) {
                const int32_t row = place[0] + (i * s->dilation[0]);
                const int32_t column = place[1] + (j * s->dilation[1]);
                const int32_t from = image + (((c * s->in[0]) + row) * s->in[1]) + column;
                const int32_t tap = filter + (((c * s->kernel[0]) + i) * s->kernel[1]) + j;

                sum += (memplan_load_8(x, from, x_signed) - zero[0]) *
                       (memplan_load_8(weight, tap, w_signed) - zero[1]);
            }
        }
    }
    return sum;
}

MEMPLAN_INLINE void integer_conv(const void *x, bool x_signed, const void *weight, bool w_signed, const void *x_zero,
                                 const void *w_zero, int32_t *y, const memplan_window *s)
{
    const int32_t zero[2] = {integer_zero(x_zero, 0, x_signed), integer_zero(w_zero, 0, w_signed)};
    const int32_t channels = s->groups * s->out_channels;

    for (int32_t b = 0; b < s->batch; b++) {
        for (int32_t c = 0; c < channels; c++) {
            const int32_t group = (b * s->groups) + (c / s->out_channels);
            const int32_t image = group * s->in_channels * s->in[0] * s->in[1];
            const int32_t filter = c * s->in_channels * s->kernel[0] * s->kernel[1];

            for (int32_t i = 0; i < (s->out[0] * s->out[1]); i++) {
                const int32_t place[2] = {((i / s->out[1]) * s->stride[0]) - s->pad[0],
                                          ((i % s->out[1]) * s->stride[1]) - s->pad[1]};

                *y = integer_window(x, x_signed, weight, w_signed, image, filter, s, place, zero);
                y++;
            }
        }
    }
}

MEMPLAN_INLINE int32_t *integer_rows(const void *a, bool a_signed, int32_t a_at, const void *b, bool b_signed,
                                     int32_t b_at, const void *a_zero, const void *b_zero, int32_t *y,
                                     const memplan_product *s, bool each)
{
    const int32_t left = integer_zero(a_zero, 0, a_signed);

    for (int32_t i = 0; i < s->rows; i++) {
        for (int32_t j = 0; j < s->columns; j++) {
            const int32_t right = integer_zero(b_zero, each ? j : 0, b_signed);
            int32_t sum = 0;

            for (int32_t k = 0; k < s->depth; k++) {
                const int32_t from_a = a_at + (i * s->a_stride[0]) + (k * s->a_stride[1]);
                const int32_t from_b = b_at + (k * s->b_stride[0]) + (j * s->b_stride[1]);

                sum += (memplan_load_8(a, from_a, a_signed) - left) * (memplan_load_8(b, from_b, b_signed) - right);
            }
            *y = sum;
            y++;
        }
    }
    return y;
}

MEMPLAN_INLINE void integer_matmul(const void *a, bool a_signed, const void *b, bool b_signed, const void *a_zero,
                                   const void *b_zero, int32_t *y, const memplan_product *s, bool each)
{
    const memplan_grid *const batch = &s->batch;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < memplan_row(batch); i++) {
            y = integer_rows(a, a_signed, cursor.at[0] + (i * memplan_step(batch, 0)), b, b_signed,
                             cursor.at[1] + (i * memplan_step(batch, 1)), a_zero, b_zero, y, s, each);
        }
    } while (memplan_next_row(&cursor, batch) != 0);
}

MEMPLAN_KERNEL void memplan_conv_integer_u8u8(const uint8_t *x, const uint8_t *weight, const uint8_t *x_zero,
                                              const uint8_t *w_zero, int32_t *y, const memplan_window *s)
{
    integer_conv(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_UNSIGNED, x_zero, w_zero, y, s);
}

MEMPLAN_KERNEL void memplan_conv_integer_u8s8(const uint8_t *x, const int8_t *weight, const uint8_t *x_zero,
                                              const int8_t *w_zero, int32_t *y, const memplan_window *s)
{
    integer_conv(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_SIGNED, x_zero, w_zero, y, s);
}

MEMPLAN_KERNEL void memplan_conv_integer_s8s8(const int8_t *x, const int8_t *weight, const int8_t *x_zero,
                                              const int8_t *w_zero, int32_t *y, const memplan_window *s)
{
    integer_conv(x, MEMPLAN_SIGNED, weight, MEMPLAN_SIGNED, x_zero, w_zero, y, s);
}

MEMPLAN_KERNEL void memplan_matmul_integer_u8u8(const uint8_t *a, const uint8_t *b, const uint8_t *a_zero,
                                                const uint8_t *b_zero, int32_t *y, const memplan_product *s,
                                                int each)
{
    integer_matmul(a, MEMPLAN_UNSIGNED, b, MEMPLAN_UNSIGNED, a_zero, b_zero, y, s, each != 0);
}

MEMPLAN_KERNEL void memplan_matmul_integer_u8s8(const uint8_t *a, const int8_t *b, const uint8_t *a_zero,
                                                const int8_t *b_zero, int32_t *y, const memplan_product *s,
                                                int each)
{
    integer_matmul(a, MEMPLAN_UNSIGNED, b, MEMPLAN_SIGNED, a_zero, b_zero, y, s, each != 0);
}

MEMPLAN_KERNEL void memplan_matmul_integer_s8s8(const int8_t *a, const int8_t *b, const int8_t *a_zero,
                                                const int8_t *b_zero, int32_t *y, const memplan_product *s,
                                                int each)
{
    integer_matmul(a, MEMPLAN_SIGNED, b, MEMPLAN_SIGNED, a_zero, b_zero, y, s, each != 0);
}
