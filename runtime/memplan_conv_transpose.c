/* Transposed convolution, float32: every output element gathers what would have been scattered to it. */
#include "memplan_support.h"

static float transposed_sum(const float *x, const float *weight, const memplan_window *s, int32_t row, int32_t column)
{
    const int32_t taps = s->kernel[0] * s->kernel[1];
    float sum = 0.0f;

    for (int32_t i = 0; i < s->kernel[0]; i++) {
        const int32_t from_row = memplan_transposed_position(s, 0, row, i);

        for (int32_t j = 0; (from_row >= 0) && (j < s->kernel[1]); j++) {
            const int32_t from_column = memplan_transposed_position(s, 1, column, j);

            for (int32_t c = 0; (from_column >= 0) && (c < s->in_channels); c++) {
                sum += x[(((c * s->in[0]) + from_row) * s->in[1]) + from_column] *
                       weight[(c * s->out_channels * taps) + (i * s->kernel[1]) + j];
            }
        }
    }
    return sum;
}

MEMPLAN_KERNEL void memplan_conv_transpose_f32(const float *x, const float *weight, const float *bias, float *y,
                                               const memplan_window *s)
{
    const int32_t taps = s->kernel[0] * s->kernel[1];
    const int32_t channels = s->groups * s->out_channels;

    for (int32_t b = 0; b < s->batch; b++) {
        for (int32_t c = 0; c < channels; c++) {
            const int32_t group = c / s->out_channels;
            const float *const image = &x[((b * s->groups) + group) * s->in_channels * s->in[0] * s->in[1]];
            const float *const filter =
                &weight[((group * s->in_channels * s->out_channels) + (c % s->out_channels)) * taps];
            const float start = (bias == NULL) ? 0.0f : bias[c];

            for (int32_t i = 0; i < s->out[0]; i++) {
                for (int32_t j = 0; j < s->out[1]; j++) {
                    *y = start + transposed_sum(image, filter, s, i, j);
                    y++;
                }
            }
        }
    }
}
