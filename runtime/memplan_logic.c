/* Comparison, logic and selection. */
#include "memplan_support.h"

/* y runs through in order; each kernel reads an element of a and of b before it writes the one in that place. */
#define MEMPLAN_TEST(name, type, condition)                                                                 \
    MEMPLAN_KERNEL void memplan_##name##_##type(const MEMPLAN_TYPE_##type *a, const MEMPLAN_TYPE_##type *b, \
                                                uint8_t *y, const memplan_grid *grid)                       \
    {                                                                                                       \
        const int32_t row = memplan_row(grid);                                                              \
        const int32_t a_step = memplan_step(grid, 0);                                                       \
        const int32_t b_step = memplan_step(grid, 1);                                                       \
        memplan_cursor cursor;                                                                              \
                                                                                                            \
        memplan_start(&cursor);                                                                             \
        do {                                                                                                \
            const MEMPLAN_TYPE_##type *pa = &a[cursor.at[0]];                                               \
            const MEMPLAN_TYPE_##type *pb = &b[cursor.at[1]];                                               \
                                                                                                            \
            for (int32_t i = 0; i < row; i++) {                                                             \
                const MEMPLAN_TYPE_##type p = *pa;                                                          \
                const MEMPLAN_TYPE_##type q = *pb;                                                          \
                                                                                                            \
                *y = (condition) ? 1u : 0u;                                                                 \
                y++;                                                                                        \
                pa = &pa[a_step];                                                                           \
                pb = &pb[b_step];                                                                           \
            }                                                                                               \
        } while (memplan_next_row(&cursor, grid) != 0);                                                     \
    }

#define MEMPLAN_COMPARISONS(type)                   \
    MEMPLAN_TEST(equal, type, (p <= q) && (p >= q)) \
    MEMPLAN_TEST(less, type, p < q)                 \
    MEMPLAN_TEST(less_or_equal, type, p <= q)       \
    MEMPLAN_TEST(greater, type, p > q)              \
    MEMPLAN_TEST(greater_or_equal, type, p >= q)

MEMPLAN_COMPARISONS(f32)
MEMPLAN_COMPARISONS(i32)
MEMPLAN_COMPARISONS(i64)

MEMPLAN_TEST(equal, bool, (p != 0u) == (q != 0u))
MEMPLAN_TEST(and, bool, (p != 0u) && (q != 0u))
MEMPLAN_TEST(or, bool, (p != 0u) || (q != 0u))
MEMPLAN_TEST(xor, bool, (p != 0u) != (q != 0u))

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
            to = &to[width];
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}
