/* Comparison, logic and selection. */
#include "memplan_support.h"

/* y runs through in order; each kernel reads an element of a and of b before it writes the one in that place. */
#define MEMPLAN_TEST(name, T, condition)                                                             \
    MEMPLAN_KERNEL void memplan_##name(const T *a, const T *b, uint8_t *y, const memplan_grid *grid) \
    {                                                                                                \
        const int32_t row = memplan_row(grid);                                                       \
        const int32_t a_step = memplan_step(grid, 0);                                                \
        const int32_t b_step = memplan_step(grid, 1);                                                \
        memplan_cursor cursor;                                                                       \
                                                                                                     \
        memplan_start(&cursor);                                                                      \
        do {                                                                                         \
            const T *pa = &a[cursor.at[0]];                                                          \
            const T *pb = &b[cursor.at[1]];                                                          \
                                                                                                     \
            for (int32_t i = 0; i < row; i++) {                                                      \
                const T p = *pa;                                                                     \
                const T q = *pb;                                                                     \
                                                                                                     \
                *y = (uint8_t)((condition) ? 1 : 0);                                                 \
                y++;                                                                                 \
                pa += a_step;                                                                        \
                pb += b_step;                                                                        \
            }                                                                                        \
        } while (memplan_next_row(&cursor, grid) != 0);                                              \
    }

#define MEMPLAN_COMPARISONS(suffix, T)                     \
    MEMPLAN_TEST(equal_##suffix, T, (p <= q) && (p >= q))  \
    MEMPLAN_TEST(less_##suffix, T, p < q)                  \
    MEMPLAN_TEST(less_or_equal_##suffix, T, p <= q)        \
    MEMPLAN_TEST(greater_##suffix, T, p > q)               \
    MEMPLAN_TEST(greater_or_equal_##suffix, T, p >= q)

MEMPLAN_COMPARISONS(f32, float)
MEMPLAN_COMPARISONS(i32, int32_t)
MEMPLAN_COMPARISONS(i64, int64_t)

MEMPLAN_TEST(equal_bool, uint8_t, (p != 0u) == (q != 0u))
MEMPLAN_TEST(and_bool, uint8_t, (p != 0u) && (q != 0u))
MEMPLAN_TEST(or_bool, uint8_t, (p != 0u) || (q != 0u))
MEMPLAN_TEST(xor_bool, uint8_t, (p != 0u) != (q != 0u))

MEMPLAN_KERNEL void memplan_not_bool(const uint8_t *x, uint8_t *y, size_t n)
{
    for (size_t i = 0u; i < n; i++) {
        y[i] = (x[i] == 0u) ? 1u : 0u;
    }
}

MEMPLAN_KERNEL void memplan_where(const uint8_t *condition, const void *a, const void *b, void *y, size_t width,
                                  const memplan_grid *grid)
{
    const int32_t row = memplan_row(grid);
    const uint8_t *const ya = a;
    const uint8_t *const yb = b;
    uint8_t *to = y;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            const int32_t c = cursor.at[0] + (i * memplan_step(grid, 0));
            const int32_t from_a = cursor.at[1] + (i * memplan_step(grid, 1));
            const int32_t from_b = cursor.at[2] + (i * memplan_step(grid, 2));
            const uint8_t *const from =
                (condition[c] != 0u) ? &ya[(size_t)from_a * width] : &yb[(size_t)from_b * width];

            /* In place the element may already be where it should be. */
            if (from != to) {
                (void)memcpy(to, from, width);
            }
            to += width;
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}
