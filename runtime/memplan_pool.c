/* Pools over windows. Padding never is the largest; it counts in an average only on request. */
#include "memplan_support.h"

/* The part of a window that lies in the plane. */
typedef struct {
    int32_t row;
    int32_t column;
    int32_t first[2];
    int32_t end[2];
} pool_part;

static inline pool_part pool_part_at(const memplan_pooling *s, int32_t i, int32_t j)
{
    pool_part p;

    p.row = (i * s->stride[0]) - s->pad[0];
    p.column = (j * s->stride[1]) - s->pad[1];
    p.first[0] = memplan_first_tap(p.row, s->dilation[0]);
    p.first[1] = memplan_first_tap(p.column, s->dilation[1]);
    p.end[0] = memplan_end_tap(p.row, s->dilation[0], s->kernel[0], s->in[0]);
    p.end[1] = memplan_end_tap(p.column, s->dilation[1], s->kernel[1], s->in[1]);
    return p;
}

#define MEMPLAN_MAX_POOL(type, least)                                                                             \
    static MEMPLAN_TYPE_##type pool_most_##type(const MEMPLAN_TYPE_##type *x, const memplan_pooling *s,           \
                                                const pool_part *p)                                               \
    {                                                                                                             \
        MEMPLAN_TYPE_##type most = (least);                                                                       \
                                                                                                                  \
        for (int32_t i = p->first[0]; i < p->end[0]; i++) {                                                       \
            const MEMPLAN_TYPE_##type *const line = &x[((p->row + (i * s->dilation[0])) * s->in[1]) + p->column]; \
                                                                                                                  \
            for (int32_t j = p->first[1]; j < p->end[1]; j++) {                                                   \
                const MEMPLAN_TYPE_##type v = line[j * s->dilation[1]];                                           \
                                                                                                                  \
                most = (v > most) ? v : most;                                                                     \
            }                                                                                                     \
        }                                                                                                         \
        return most;                                                                                              \
    }                                                                                                             \
    MEMPLAN_KERNEL void memplan_max_pool_##type(const MEMPLAN_TYPE_##type *x, MEMPLAN_TYPE_##type *y,             \
                                                const memplan_pooling *s)                                         \
    {                                                                                                             \
        for (int32_t plane = 0; plane < s->planes; plane++) {                                                     \
            for (int32_t i = 0; i < s->out[0]; i++) {                                                             \
                for (int32_t j = 0; j < s->out[1]; j++) {                                                         \
                    const pool_part p = pool_part_at(s, i, j);                                                    \
                                                                                                                  \
                    *y = pool_most_##type(x, s, &p);                                                              \
                    y++;                                                                                          \
                }                                                                                                 \
            }                                                                                                     \
            x = &x[s->in[0] * s->in[1]];                                                                          \
        }                                                                                                         \
    }

MEMPLAN_MAX_POOL(f32, -INFINITY)
MEMPLAN_MAX_POOL(u8, 0u)
MEMPLAN_MAX_POOL(s8, INT8_MIN)

/* By how many elements the sum is divided along one axis: with padding, but not beyond it. */
static int32_t pool_counted(const memplan_pooling *s, int axis, int32_t start, int32_t inside)
{
    const int32_t padded = s->in[axis] + s->pad_end[axis];

    return (s->count_padding != 0) ? memplan_end_tap(start, s->dilation[axis], s->kernel[axis], padded) : inside;
}

MEMPLAN_KERNEL void memplan_average_pool_f32(const float *x, float *y, const memplan_pooling *s)
{
    for (int32_t plane = 0; plane < s->planes; plane++) {
        for (int32_t i = 0; i < s->out[0]; i++) {
            for (int32_t j = 0; j < s->out[1]; j++) {
                const pool_part p = pool_part_at(s, i, j);
                const int32_t rows = pool_counted(s, 0, p.row, p.end[0] - p.first[0]);
                const int32_t columns = pool_counted(s, 1, p.column, p.end[1] - p.first[1]);
                float sum = 0.0f;
                int32_t count;

                for (int32_t a = p.first[0]; a < p.end[0]; a++) {
                    const float *const line = &x[((p.row + (a * s->dilation[0])) * s->in[1]) + p.column];

                    for (int32_t b = p.first[1]; b < p.end[1]; b++) {
                        sum += line[b * s->dilation[1]];
                    }
                }
                count = rows * columns;
                *y = sum / (float)count;
                y++;
            }
        }
        x = &x[s->in[0] * s->in[1]];
    }
}

MEMPLAN_INLINE void qaverage(const void *x, void *y, const memplan_qpooling *q, bool is_signed)
{
    const memplan_pooling *const s = &q->pool;
    int32_t start = 0;
    int32_t at = 0;

    for (int32_t plane = 0; plane < s->planes; plane++) {
        for (int32_t i = 0; i < s->out[0]; i++) {
            for (int32_t j = 0; j < s->out[1]; j++) {
                const pool_part p = pool_part_at(s, i, j);
                const int32_t rows = pool_counted(s, 0, p.row, p.end[0] - p.first[0]);
                const int32_t columns = pool_counted(s, 1, p.column, p.end[1] - p.first[1]);
                int32_t sum = 0;
                int32_t count;

                for (int32_t a = p.first[0]; a < p.end[0]; a++) {
                    const int32_t line = start + ((p.row + (a * s->dilation[0])) * s->in[1]) + p.column;

                    for (int32_t b = p.first[1]; b < p.end[1]; b++) {
                        sum += memplan_load_8(x, line + (b * s->dilation[1]), is_signed) - q->x_zero;
                    }
                }
                count = rows * columns;
                memplan_store_8(y, at, (((float)sum / (float)count) * q->scale) + q->fixed, q->y_zero, is_signed);
                at++;
            }
        }
        start += s->in[0] * s->in[1];
    }
}

MEMPLAN_KERNEL void memplan_qaverage_pool_u8(const uint8_t *x, uint8_t *y, const memplan_qpooling *q)
{
    qaverage(x, y, q, MEMPLAN_UNSIGNED);
}

MEMPLAN_KERNEL void memplan_qaverage_pool_s8(const int8_t *x, int8_t *y, const memplan_qpooling *q)
{
    qaverage(x, y, q, MEMPLAN_SIGNED);
}

MEMPLAN_INLINE void qmean(const void *x, void *y, const memplan_qmean *s, bool is_signed)
{
    for (int32_t plane = 0; plane < s->planes; plane++) {
        int32_t sum = 0;

        for (int32_t i = 0; i < s->pixels; i++) {
            sum += memplan_load_8(x, (plane * s->pixels) + i, is_signed) - s->x_zero;
        }
        memplan_store_8(y, plane, (float)sum * s->scale, s->y_zero, is_signed);
    }
}

MEMPLAN_KERNEL void memplan_qmean_u8(const uint8_t *x, uint8_t *y, const memplan_qmean *s)
{
    qmean(x, y, s, MEMPLAN_UNSIGNED);
}

MEMPLAN_KERNEL void memplan_qmean_s8(const int8_t *x, int8_t *y, const memplan_qmean *s)
{
    qmean(x, y, s, MEMPLAN_SIGNED);
}
