/* Transposed convolution of 8-bit integers: every output element gathers what would have been scattered to it. */
#include "memplan_support.h"

MEMPLAN_INLINE int32_t qtransposed_sum(const void *x, bool x_signed, const void *weight, bool w_signed, int32_t image,
                                       int32_t filter, const memplan_window *s, const memplan_requant *q, int32_t row,
                                       int32_t column)
{
    const int32_t taps = s->kernel[0] * s->kernel[1];
    int32_t sum = 0;

    for (int32_t i = 0; i < s->kernel[0]; i++) {
        const int32_t from_row = memplan_transposed_position(s, 0, row, i);

        for (int32_t j = 0; (from_row >= 0) && (j < s->kernel[1]); j++) {
            const int32_t from_column = memplan_transposed_position(s, 1, column, j);

            for (int32_t c = 0; (from_column >= 0) && (c < s->in_channels); c++) {
                const int32_t at = image + (((c * s->in[0]) + from_row) * s->in[1]) + from_column;
                const int32_t tap = filter + (c * s->out_channels * taps) + (i * s->kernel[1]) + j;

                sum += (memplan_load_8(x, at, x_signed) - q->x_zero) *
                       (memplan_load_8(weight, tap, w_signed) - q->w_zero);
            }
        }
    }
    return sum;
}

MEMPLAN_INLINE void qconv_transpose(const void *x, bool x_signed, const void *weight, bool w_signed,
                                    const int32_t *bias, void *y, const memplan_window *s, const memplan_requant *q)
{
    const int32_t taps = s->kernel[0] * s->kernel[1];
    const int32_t channels = s->groups * s->out_channels;
    int32_t at = 0;

    for (int32_t b = 0; b < s->batch; b++) {
        for (int32_t c = 0; c < channels; c++) {
            const int32_t group = c / s->out_channels;
            const int32_t image = ((b * s->groups) + group) * s->in_channels * s->in[0] * s->in[1];
            const int32_t filter = ((group * s->in_channels * s->out_channels) + (c % s->out_channels)) * taps;
            const int32_t start = (bias == NULL) ? 0 : bias[c];
            const float scale = q->scale[c * q->scale_step];

            for (int32_t i = 0; i < s->out[0]; i++) {
                for (int32_t j = 0; j < s->out[1]; j++) {
                    const int32_t sum = memplan_biased(
                        qtransposed_sum(x, x_signed, weight, w_signed, image, filter, s, q, i, j), start);

                    memplan_store_8(y, at, (float)sum * scale, q->y_zero, x_signed);
                    at++;
                }
            }
        }
    }
}

MEMPLAN_KERNEL void memplan_qconv_transpose_u8u8(const uint8_t *x, const uint8_t *weight, const int32_t *bias,
                                                 uint8_t *y, const memplan_window *s, const memplan_requant *q)
{
    qconv_transpose(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_UNSIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qconv_transpose_u8s8(const uint8_t *x, const int8_t *weight, const int32_t *bias,
                                                 uint8_t *y, const memplan_window *s, const memplan_requant *q)
{
    qconv_transpose(x, MEMPLAN_UNSIGNED, weight, MEMPLAN_SIGNED, bias, y, s, q);
}

MEMPLAN_KERNEL void memplan_qconv_transpose_s8s8(const int8_t *x, const int8_t *weight, const int32_t *bias,
                                                 int8_t *y, const memplan_window *s, const memplan_requant *q)
{
    qconv_transpose(x, MEMPLAN_SIGNED, weight, MEMPLAN_SIGNED, bias, y, s, q);
}
