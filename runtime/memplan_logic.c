/* Comparison, logic and selection. */
#include "memplan_support.h"

#define MEMPLAN_COMPARISONS(type)                                    \
    MEMPLAN_PAIRS(equal, type, u8, ((p <= q) && (p >= q)) ? 1u : 0u) \
    MEMPLAN_PAIRS(less, type, u8, (p < q) ? 1u : 0u)                 \
    MEMPLAN_PAIRS(less_or_equal, type, u8, (p <= q) ? 1u : 0u)       \
    MEMPLAN_PAIRS(greater, type, u8, (p > q) ? 1u : 0u)              \
    MEMPLAN_PAIRS(greater_or_equal, type, u8, (p >= q) ? 1u : 0u)

MEMPLAN_COMPARISONS(f32)
MEMPLAN_COMPARISONS(i32)
MEMPLAN_COMPARISONS(i64)

MEMPLAN_PAIRS(equal, bool, u8, ((p != 0u) == (q != 0u)) ? 1u : 0u)
MEMPLAN_PAIRS(and, bool, u8, ((p != 0u) && (q != 0u)) ? 1u : 0u)
MEMPLAN_PAIRS(or, bool, u8, ((p != 0u) || (q != 0u)) ? 1u : 0u)
MEMPLAN_PAIRS(xor, bool, u8, ((p != 0u) != (q != 0u)) ? 1u : 0u)

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
