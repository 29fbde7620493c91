/* Reductions of bytes over any axes, and the place of the largest along one. */
#include "memplan_support.h"

typedef enum { REDUCE_MOST, REDUCE_LEAST, REDUCE_SUM } reduction_of_bytes;

/* What the elements from `start` on make, each less `zero`. `count`: how many they are. */
MEMPLAN_INLINE int32_t reduce_bytes(const void *x, int32_t start, const memplan_grid *over, int32_t zero,
                                    reduction_of_bytes how, bool is_signed, int32_t *count)
{
    const int32_t row = memplan_row(over);
    const int32_t step = memplan_step(over, 0);
    int32_t made = (how == REDUCE_SUM) ? 0 : (memplan_load_8(x, start, is_signed) - zero);
    memplan_cursor cursor;

    *count = 0;
    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            const int32_t v = memplan_load_8(x, start + cursor.at[0] + (i * step), is_signed) - zero;

            if (how == REDUCE_SUM) {
                made += v;
            } else if (how == REDUCE_MOST) {
                made = (v > made) ? v : made;
            } else {
                made = (v < made) ? v : made;
            }
        }
        *count += row;
    } while (memplan_next_row(&cursor, over) != 0);
    return made;
}

/* scale: of the mean; any other result is an element as it is. */
MEMPLAN_INLINE void qreduce(const void *x, void *y, const memplan_reduction *r, int32_t x_zero, float scale,
                            int32_t y_zero, reduction_of_bytes how, bool is_signed)
{
    const int32_t row = memplan_row(&r->kept);
    const int32_t step = memplan_step(&r->kept, 0);
    int32_t at = 0;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            int32_t count;
            const int32_t made = reduce_bytes(x, cursor.at[0] + (i * step), &r->over, x_zero, how, is_signed, &count);
            const float value = (how == REDUCE_SUM) ? (((float)made / (float)count) * scale) : (float)made;

            memplan_store_8(y, at, value, y_zero, is_signed);
            at++;
        }
    } while (memplan_next_row(&cursor, &r->kept) != 0);
}

#define MEMPLAN_REDUCE_BYTES(type, is_signed)                                                                     \
    MEMPLAN_KERNEL void memplan_reduce_max_##type(const MEMPLAN_TYPE_##type *x, MEMPLAN_TYPE_##type *y,           \
                                                  const memplan_reduction *r)                                     \
    {                                                                                                             \
        qreduce(x, y, r, 0, 1.0f, 0, REDUCE_MOST, (is_signed));                                                   \
    }                                                                                                             \
    MEMPLAN_KERNEL void memplan_reduce_min_##type(const MEMPLAN_TYPE_##type *x, MEMPLAN_TYPE_##type *y,           \
                                                  const memplan_reduction *r)                                     \
    {                                                                                                             \
        qreduce(x, y, r, 0, 1.0f, 0, REDUCE_LEAST, (is_signed));                                                  \
    }                                                                                                             \
    MEMPLAN_KERNEL void memplan_reduce_qmean_##type(const MEMPLAN_TYPE_##type *x, MEMPLAN_TYPE_##type *y,         \
                                                    const memplan_reduction *r, int32_t x_zero, float scale,      \
                                                    int32_t y_zero)                                               \
    {                                                                                                             \
        qreduce(x, y, r, x_zero, scale, y_zero, REDUCE_SUM, (is_signed));                                         \
    }                                                                                                             \
    MEMPLAN_KERNEL void memplan_argmax_##type(const MEMPLAN_TYPE_##type *x, int64_t *y, const memplan_axis *axis, \
                                              int last)                                                           \
    {                                                                                                             \
        for (int32_t o = 0; o < axis->outer; o++) {                                                               \
            for (int32_t i = 0; i < axis->inner; i++) {                                                           \
                const MEMPLAN_TYPE_##type *const line = &x[(o * axis->size * axis->inner) + i];                   \
                int32_t best = 0;                                                                                 \
                                                                                                                  \
                for (int32_t k = 1; k < axis->size; k++) {                                                        \
                    const MEMPLAN_TYPE_##type v = line[k * axis->inner];                                          \
                    const MEMPLAN_TYPE_##type most = line[best * axis->inner];                                    \
                                                                                                                  \
                    if ((v > most) || ((last != 0) && (v == most))) {                                             \
                        best = k;                                                                                 \
                    }                                                                                             \
                }                                                                                                 \
                *y = best;                                                                                        \
                y++;                                                                                              \
            }                                                                                                     \
        }                                                                                                         \
    }

MEMPLAN_REDUCE_BYTES(u8, MEMPLAN_UNSIGNED)
MEMPLAN_REDUCE_BYTES(s8, MEMPLAN_SIGNED)
