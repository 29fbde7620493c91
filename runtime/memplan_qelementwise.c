/* Sums, products and functions of quantised bytes, element by element. */
#include "memplan_support.h"

/* product: multiplies, else adds. Each element is read before the one in its place is written. */
MEMPLAN_INLINE void qpair(const void *a, const void *b, void *y, const memplan_qpair *s, bool is_signed, bool product)
{
    const memplan_grid *const grid = &s->grid;
    const int32_t row = memplan_row(grid);
    int32_t at = 0;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            const int32_t p = memplan_load_8(a, cursor.at[0] + (i * memplan_step(grid, 0)), is_signed);
            const int32_t q = memplan_load_8(b, cursor.at[1] + (i * memplan_step(grid, 1)), is_signed);
            const int32_t multiplied = (p - s->a_zero) * (q - s->b_zero);
            const float value = product
                                    ? (((float)multiplied * s->a_scale) + s->fixed)
                                    : ((s->fixed + ((float)p * s->a_scale)) + ((float)q * s->b_scale));

            memplan_store_8(y, at, value, 0, is_signed);
            at++;
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}

MEMPLAN_KERNEL void memplan_qadd_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s)
{
    qpair(a, b, y, s, MEMPLAN_UNSIGNED, false);
}

MEMPLAN_KERNEL void memplan_qadd_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s)
{
    qpair(a, b, y, s, MEMPLAN_SIGNED, false);
}

MEMPLAN_KERNEL void memplan_qmul_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s)
{
    qpair(a, b, y, s, MEMPLAN_UNSIGNED, true);
}

MEMPLAN_KERNEL void memplan_qmul_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s)
{
    qpair(a, b, y, s, MEMPLAN_SIGNED, true);
}

MEMPLAN_INLINE void qprelu(const void *a, const void *b, void *y, const memplan_qpair *s, bool is_signed)
{
    const memplan_grid *const grid = &s->grid;
    const int32_t row = memplan_row(grid);
    int32_t at = 0;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            const int32_t p =
                memplan_load_8(a, cursor.at[0] + (i * memplan_step(grid, 0)), is_signed) - s->a_zero;
            const int32_t q =
                memplan_load_8(b, cursor.at[1] + (i * memplan_step(grid, 1)), is_signed) - s->b_zero;
            const float value = (float)p * s->a_scale;

            memplan_store_8(y, at, (p < 0) ? (value * ((float)q * s->b_scale)) : value, (int32_t)s->fixed, is_signed);
            at++;
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}

MEMPLAN_KERNEL void memplan_qprelu_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s)
{
    qprelu(a, b, y, s, MEMPLAN_UNSIGNED);
}

MEMPLAN_KERNEL void memplan_qprelu_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s)
{
    qprelu(a, b, y, s, MEMPLAN_SIGNED);
}

MEMPLAN_KERNEL void memplan_lookup_8(const uint8_t *x, uint8_t *y, size_t n, const uint8_t *table)
{
    for (size_t i = 0u; i < n; i++) {
        y[i] = table[x[i]];
    }
}

MEMPLAN_KERNEL void memplan_lookup_grid_8(const uint8_t *x, uint8_t *y, const memplan_grid *grid,
                                          const uint8_t *table)
{
    const int32_t row = memplan_row(grid);
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            y[cursor.at[1] + (i * memplan_step(grid, 1))] = table[x[cursor.at[0] + (i * memplan_step(grid, 0))]];
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}

MEMPLAN_KERNEL void memplan_lookup_where_8(const uint8_t *condition, const uint8_t *a, const uint8_t *b, uint8_t *y,
                                           const memplan_grid *grid, const uint8_t *a_table, const uint8_t *b_table)
{
    const int32_t row = memplan_row(grid);
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < row; i++) {
            const int32_t c = cursor.at[0] + (i * memplan_step(grid, 0));
            const int32_t from_a = cursor.at[1] + (i * memplan_step(grid, 1));
            const int32_t from_b = cursor.at[2] + (i * memplan_step(grid, 2));

            *y = (condition[c] != 0u) ? a_table[a[from_a]] : b_table[b[from_b]];
            y++;
        }
    } while (memplan_next_row(&cursor, grid) != 0);
}
