/* Copies: whole tensors, and between tensors whose elements lie in different orders. */
#include "memplan_support.h"

MEMPLAN_KERNEL void memplan_copy(const void *x, void *y, size_t bytes)
{
    (void)memcpy(y, x, bytes);
}

MEMPLAN_KERNEL void memplan_copy_grid(const void *x, void *y, size_t width, const memplan_grid *grid)
{
    const uint8_t *const source = x;
    uint8_t *const target = y;
    const int32_t row = memplan_row(grid);
    const ptrdiff_t from_step = (ptrdiff_t)memplan_step(grid, 0) * (ptrdiff_t)width;
    const ptrdiff_t to_step = (ptrdiff_t)memplan_step(grid, 1) * (ptrdiff_t)width;
    const bool dense = (memplan_step(grid, 0) == 1) && (memplan_step(grid, 1) == 1);
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        const uint8_t *from = &source[(ptrdiff_t)cursor.at[0] * (ptrdiff_t)width];
        uint8_t *to = &target[(ptrdiff_t)cursor.at[1] * (ptrdiff_t)width];

        if (dense) {
            (void)memcpy(to, from, (size_t)row * width);
        } else {
            (void)memcpy(to, from, width);
            for (int32_t i = 1; i < row; i++) {
                from = &from[from_step];
                to = &to[to_step];
                (void)memcpy(to, from, width);
            }
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}

MEMPLAN_KERNEL void memplan_fill(void *y, const void *value, size_t width, size_t n)
{
    uint8_t *to = y;

    for (size_t i = 0u; i < n; i++) {
        (void)memcpy(to, value, width);
        to = &to[width];
    }
}
