/* Matrix products, float32. */
#include "memplan_support.h"

/* One matrix; returns where the next one goes. */
static float *matmul_one(const float *a, const float *b, float *y, const memplan_product *s)
{
    for (int32_t i = 0; i < s->rows; i++) {
        for (int32_t j = 0; j < s->columns; j++) {
            *y = memplan_dot(&a[i * s->a_stride[0]], s->a_stride[1], &b[j * s->b_stride[1]], s->b_stride[0], s->depth);
            y++;
        }
    }
    return y;
}

MEMPLAN_KERNEL void memplan_matmul_f32(const float *a, const float *b, float *y, const memplan_product *s)
{
    const memplan_grid *const batch = &s->batch;
    memplan_cursor cursor;

    memplan_start(&cursor);
    do {
        for (int32_t i = 0; i < memplan_row(batch); i++) {
            y = matmul_one(&a[cursor.at[0] + (i * memplan_step(batch, 0))],
                         &b[cursor.at[1] + (i * memplan_step(batch, 1))], y, s);
        }
    } while (memplan_next_row(&cursor, batch) != 0);
}

MEMPLAN_KERNEL void memplan_gemm_f32(const float *a, const float *b, const float *c, float *y, const memplan_gemm *s)
{
    const memplan_product *const p = &s->product;

    for (int32_t i = 0; i < p->rows; i++) {
        for (int32_t j = 0; j < p->columns; j++) {
            const float sum =
                memplan_dot(&a[i * p->a_stride[0]], p->a_stride[1], &b[j * p->b_stride[1]], p->b_stride[0], p->depth);
            const float added =
                (c == NULL) ? 0.0f : (s->beta * c[(i * s->c_stride[0]) + (j * s->c_stride[1])]);

            *y = (s->alpha * sum) + added;
            y++;
        }
    }
}
