/* Reductions over any axes, and the place of the largest and smallest element along one. */
#include "memplan_support.h"

/* Walks the elements that one result is made of; `v` is each of them, `sum` what has been made so far. */
#define MEMPLAN_REDUCE(name, first, next, last)                                                       \
    static float reduce_##name##_at(const float *x, const memplan_grid *over)                                  \
    {                                                                                                 \
        const int32_t row = memplan_row(over);                                                        \
        const int32_t step = memplan_step(over, 0);                                                   \
        float sum = (first);                                                                          \
        float count = 0.0f;                                                                           \
        memplan_cursor cursor;                                                                        \
                                                                                                      \
        memplan_start(&cursor);                                                                       \
        do {                                                                                          \
            for (int32_t i = 0; i < row; i++) {                                                       \
                const float v = x[cursor.at[0] + (i * step)];                                         \
                                                                                                      \
                sum = (next);                                                                         \
            }                                                                                         \
            count += (float)row;                                                                      \
        } while (memplan_next_row(&cursor, over) != 0);                                               \
        (void)count;                                                                                  \
        return (last);                                                                                \
    }                                                                                                 \
    MEMPLAN_KERNEL void memplan_reduce_##name##_f32(const float *x, float *y, const memplan_reduction *r) \
    {                                                                                                 \
        const int32_t row = memplan_row(&r->kept);                                                    \
        const int32_t step = memplan_step(&r->kept, 0);                                               \
        memplan_cursor cursor;                                                                        \
                                                                                                      \
        memplan_start(&cursor);                                                                       \
        do {                                                                                          \
            for (int32_t i = 0; i < row; i++) {                                                       \
                *y = reduce_##name##_at(&x[cursor.at[0] + (i * step)], &r->over);                              \
                y++;                                                                                  \
            }                                                                                         \
        } while (memplan_next_row(&cursor, &r->kept) != 0);                                           \
    }

MEMPLAN_REDUCE(sum, 0.0f, sum + v, sum)
MEMPLAN_REDUCE(mean, 0.0f, sum + v, sum / count)
MEMPLAN_REDUCE(max, -INFINITY, (v > sum) ? v : sum, sum)
MEMPLAN_REDUCE(min, INFINITY, (v < sum) ? v : sum, sum)
MEMPLAN_REDUCE(prod, 1.0f, sum * v, sum)
MEMPLAN_REDUCE(l1, 0.0f, sum + fabsf(v), sum)
MEMPLAN_REDUCE(l2, 0.0f, sum + (v * v), sqrtf(sum))
MEMPLAN_REDUCE(sum_square, 0.0f, sum + (v * v), sum)
MEMPLAN_REDUCE(log_sum, 0.0f, sum + v, logf(sum))

/* The largest exponent is taken out of the sum, so that no exponential overflows. */
static float reduce_log_sum_exp_at(const float *x, const memplan_grid *over)
{
    const int32_t row = memplan_row(over);
    const int32_t step = memplan_step(over, 0);
    const float most = reduce_max_at(x, over);
    float sum = 0.0f;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            sum += expf(x[cursor.at[0] + (i * step)] - most);
        }
    } while (memplan_next_row(&cursor, over) != 0);
    return most + logf(sum);
}

MEMPLAN_KERNEL void memplan_reduce_log_sum_exp_f32(const float *x, float *y, const memplan_reduction *r)
{
    const int32_t row = memplan_row(&r->kept);
    const int32_t step = memplan_step(&r->kept, 0);
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            *y = reduce_log_sum_exp_at(&x[cursor.at[0] + (i * step)], &r->over);
            y++;
        }
    } while (memplan_next_row(&cursor, &r->kept) != 0);
}

/* sign: 1 for the largest, -1 for the smallest. */
MEMPLAN_INLINE void reduce_argument(const float *x, int64_t *y, const memplan_axis *axis, int last, float sign)
{
    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t i = 0; i < axis->inner; i++) {
            const float *const line = &x[(o * axis->size * axis->inner) + i];
            int32_t best = 0;

            for (int32_t k = 1; k < axis->size; k++) {
                const float v = sign * line[k * axis->inner];
                const float most = sign * line[best * axis->inner];

                if ((v > most) || ((last != 0) && (v >= most))) {
                    best = k;
                }
            }
            *y = best;
            y++;
        }
    }
}

MEMPLAN_KERNEL void memplan_argmax_f32(const float *x, int64_t *y, const memplan_axis *axis, int last)
{
    reduce_argument(x, y, axis, last, 1.0f);
}

MEMPLAN_KERNEL void memplan_argmin_f32(const float *x, int64_t *y, const memplan_axis *axis, int last)
{
    reduce_argument(x, y, axis, last, -1.0f);
}
