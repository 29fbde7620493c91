/* Convolution of 8-bit integers. Padding counts as the zero point: it adds nothing to the sum. */
#include "memplan_support.h"

MEMPLAN_INLINE int32_t qconv_sum(const void *x, int x_signed, const void *weight, int w_signed, int32_t image,
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

MEMPLAN_INLINE void qconv(const void *x, int x_signed, const void *weight, int w_signed, const int32_t *bias,
                          void *y, const memplan_window *s, const memplan_requant *q)
{
    const int32_t filter = s->in_channels * s->kernel[0] * s->kernel[1];
    const int32_t channels = s->groups * s->out_channels;
    int32_t at = 0;

    for (int32_t b = 0; b < s->batch; b++) {
        for (int32_t c = 0; c < channels; c++) {
            const int32_t group = (b * s->groups) + (c / s->out_channels);
            const int32_t image = group * s->in_channels * s->in[0] * s->in[1];
            const int32_t start = (bias == NULL) ? 0 : bias[c];
            const float scale = q->scale[c * q->scale_step];

            for (int32_t i = 0; i < s->out[0]; i++) {
                for (int32_t j = 0; j < s->out[1]; j++) {
                    const int32_t row = (i * s->stride[0]) - s->pad[0];
                    const int32_t column = (j * s->stride[1]) - s->pad[1];
                    const int32_t sum = memplan_biased(
                        qconv_sum(x, x_signed, weight, w_signed, image, c * filter, s, q, row, column), start);

                    memplan_store_8(y, at, (float)sum * scale, q->y_zero, x_signed);
                    at++;
                }
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
