/* Convolution of 8-bit integers. Padding counts as the zero point: it adds nothing to the sum. */
#include "memplan_support.h"

/* Outputs of a row whose sums are built up together. */
#define QCONV_BLOCK 16

/* One output element before its bias; `row` and `column` say where its window begins. */
MEMPLAN_INLINE int32_t qconv_sum(const void *x, bool x_signed, const void *weight, bool w_signed, int32_t image,
                                  int32_t filter, const memplan_window *s, const memplan_requant *q, int32_t row,
                                  int32_t column)
{
    const int32_t first_i = memplan_first_tap(row, s->dilation[0]);
    const int32_t first_j = memplan_first_tap(column, s->dilation[1]);
    const int32_t end_i = memplan_end_tap(row, s->dilation[0], s->kernel[0], s->in[0]);
    const int32_t end_j = memplan_end_tap(column, s->dilation[1], s->kernel[1], s->in[1]);
    int32_t sum = 0;

    for (int32_t c = 0; c < s->in_channels; c++) {
        for (int32_t i = first_i; i < end_i; i++) {
            const int32_t line = image + ((row + (i * s->dilation[0])) * s->in[1]) + column;
            const int32_t taps = filter + (i * s->kernel[1]);

            for (int32_t j = first_j; j < end_j; j++) {
                sum += (memplan_load_8(x, line + (j * s->dilation[1]), x_signed) - q->x_zero) *
                       (memplan_load_8(weight, taps + j, w_signed) - q->w_zero);
            }
        }
        image += s->in[0] * s->in[1];
        filter += s->kernel[0] * s->kernel[1];
    }
    return sum;
}

/* The sums of n outputs of a row from `first` on, tap by tap, so that they are one loop. */
MEMPLAN_INLINE void qconv_row(const void *x, bool x_signed, const void *weight, bool w_signed, int32_t image,
                              int32_t filter, const memplan_window *s, const memplan_requant *q, int32_t row,
                              int32_t first, int32_t n, int32_t *sums)
{
    const int32_t plane = s->in[0] * s->in[1];
    const int32_t taps = s->kernel[0] * s->kernel[1];
    const int32_t end_i = memplan_end_tap(row, s->dilation[0], s->kernel[0], s->in[0]);
    const int32_t step = s->stride[1];
    const int32_t zero = q->x_zero;

    for (int32_t i = memplan_first_tap(row, s->dilation[0]); i < end_i; i++) {
        for (int32_t k = 0; k < s->kernel[1]; k++) {
            const memplan_reach reach = memplan_reached(s, k);
            const int32_t begin = (reach.first > first) ? reach.first : first;
            const int32_t end = ((reach.first + reach.n) < (first + n)) ? (reach.first + reach.n) : (first + n);
            const int32_t line = image + ((row + (i * s->dilation[0])) * s->in[1]) + reach.column +
                                 ((begin - reach.first) * step);
            int32_t *const to = &sums[begin - first];

            for (int32_t c = 0; (begin < end) && (c < s->in_channels); c++) {
                const int32_t w =
                    memplan_load_8(weight, filter + (c * taps) + (i * s->kernel[1]) + k, w_signed) - q->w_zero;
                const int32_t from = line + (c * plane);

                if (step == 1) {
                    for (int32_t j = 0; j < (end - begin); j++) {
                        to[j] += (memplan_load_8(x, from + j, x_signed) - zero) * w;
                    }
                } else {
                    for (int32_t j = 0; j < (end - begin); j++) {
                        to[j] += (memplan_load_8(x, from + (j * step), x_signed) - zero) * w;
                    }
                }
            }
        }
    }
}

MEMPLAN_INLINE void qconv(const void *x, bool x_signed, const void *weight, bool w_signed, const int32_t *bias,
                          void *y, const memplan_window *s, const memplan_requant *q)
{
    const int32_t filter = s->in_channels * s->kernel[0] * s->kernel[1];
    const int32_t rows = s->groups * s->out_channels * s->out[0];
    int32_t sums[QCONV_BLOCK];
    int32_t at = 0;

    for (int32_t r = 0; r < (s->batch * rows); r++) {
        const int32_t c = (r % rows) / s->out[0];
        const int32_t group = ((r / rows) * s->groups) + (c / s->out_channels);
        const int32_t image = group * s->in_channels * s->in[0] * s->in[1];
        const int32_t row = ((r % s->out[0]) * s->stride[0]) - s->pad[0];

        for (int32_t first = 0; first < s->out[1]; first += QCONV_BLOCK) {
            const int32_t left = s->out[1] - first;
            const int32_t n = (left < QCONV_BLOCK) ? left : QCONV_BLOCK;

            for (int32_t j = 0; j < n; j++) {
                const int32_t column = ((first + j) * s->stride[1]) - s->pad[1];

                sums[j] = (s->out[1] < MEMPLAN_NARROW)
                              ? qconv_sum(x, x_signed, weight, w_signed, image, c * filter, s, q, row, column)
                              : 0;
            }
            if (s->out[1] >= MEMPLAN_NARROW) {
                qconv_row(x, x_signed, weight, w_signed, image, c * filter, s, q, row, first, n, sums);
            }
            for (int32_t j = 0; j < n; j++) {
                const int32_t sum = memplan_biased(sums[j], (bias == NULL) ? 0 : bias[c]);

                memplan_store_8(y, at, (float)sum * q->scale[c * q->scale_step], q->y_zero, x_signed);
                at++;
            }
        }
    }
}
MEMPLAN_KERNEL void memplan_qconv_u8u8(const uint8_t *x, const uint8_t *weight, const int32_t *bias, uint8_t *y,
                                       const memplan_window *s, const memplan_requant *q)
{
    qconv(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_UNSIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qconv_u8s8(const uint8_t *x, const int8_t *weight, const int32_t *bias, uint8_t *y,
                                       const memplan_window *s, const memplan_requant *q)
{
    qconv(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_SIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qconv_s8s8(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                                       const memplan_window *s, const memplan_requant *q)
{
    qconv(x, MEMPLAN_SIGNED, weight, MEMPLAN_SIGNED, bias, y, s, q);
}
