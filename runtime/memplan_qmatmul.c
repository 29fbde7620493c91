/* Matrix products of 8-bit integers. */
#include "memplan_support.h"

/* One matrix, from element a_at, b_at and y_at on. */
MEMPLAN_INLINE void qmatmul_one(const void *a, bool a_signed, int32_t a_at, const void *b, bool b_signed, int32_t b_at,
                             const int32_t *bias, void *y, int32_t y_at, const memplan_product *s,
                             const memplan_requant *q)
{
    for (int32_t i = 0; i < s->rows; i++) {
        for (int32_t j = 0; j < s->columns; j++) {
            const int32_t start = (bias == NULL) ? 0 : bias[j];
            int32_t sum = 0;

            for (int32_t k = 0; k < s->depth; k++) {
                const int32_t from_a = a_at + (i * s->a_stride[0]) + (k * s->a_stride[1]);
                const int32_t from_b = b_at + (k * s->b_stride[0]) + (j * s->b_stride[1]);

                sum += (memplan_load_8(a, from_a, a_signed) - q->x_zero) *
                       (memplan_load_8(b, from_b, b_signed) - q->w_zero);
            }
            sum = memplan_biased(sum, start);
            memplan_store_8(y, y_at, (float)sum * q->scale[j * q->scale_step], q->y_zero, a_signed);
            y_at++;
        }
    }
}

MEMPLAN_INLINE void qmatmul(const void *a, bool a_signed, const void *b, bool b_signed, const int32_t *bias, void *y,
                            const memplan_product *s, const memplan_requant *q)
{
    const memplan_grid *const batch = &s->batch;
    int32_t y_at = 0;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < memplan_row(batch); i++) {
            qmatmul_one(a, a_signed, cursor.at[0] + (i * memplan_step(batch, 0)), b, b_signed,
                     cursor.at[1] + (i * memplan_step(batch, 1)), bias, y, y_at, s, q);
            y_at += s->rows * s->columns;
        }
    } while (memplan_next_row(&cursor, batch) != 0);
}

MEMPLAN_KERNEL void memplan_qmatmul_u8u8(const uint8_t *a, const uint8_t *b, const int32_t *bias, uint8_t *y,
                                         const memplan_product *s, const memplan_requant *q)
{
    qmatmul(a, MEMPLAN_UNSIGNED, b, MEMPLAN_UNSIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qmatmul_u8s8(const uint8_t *a, const int8_t *b, const int32_t *bias, uint8_t *y,
                                         const memplan_product *s, const memplan_requant *q)
{
    qmatmul(a, MEMPLAN_UNSIGNED, b, MEMPLAN_SIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qmatmul_s8s8(const int8_t *a, const int8_t *b, const int32_t *bias, int8_t *y,
                                         const memplan_product *s, const memplan_requant *q)
{
    qmatmul(a, MEMPLAN_SIGNED, b, MEMPLAN_SIGNED, bias, y, s, q);
}
