/* Convolution, float32: with groups, strides, dilations and padding; depthwise is one channel a group. */
#include "memplan_support.h"

/* One output element before its bias; `row` and `column` say where its window begins. */
static float conv_sum(const float *x, const float *weight, const memplan_window *s, int32_t row, int32_t column)
{
    const int32_t first_i = memplan_first_tap(row, s->dilation[0]);
    const int32_t first_j = memplan_first_tap(column, s->dilation[1]);
    const int32_t end_i = memplan_end_tap(row, s->dilation[0], s->kernel[0], s->in[0]);
    const int32_t end_j = memplan_end_tap(column, s->dilation[1], s->kernel[1], s->in[1]);
    float sum = 0.0f;

    for (int32_t c = 0; c < s->in_channels; c++) {
        for (int32_t i = first_i; i < end_i; i++) {
            const int32_t line = ((row + (i * s->dilation[0])) * s->in[1]) + column;

            sum += memplan_dot(&x[line + (first_j * s->dilation[1])], s->dilation[1],
                               &weight[(i * s->kernel[1]) + first_j], 1, end_j - first_j);
        }
        x += s->in[0] * s->in[1];
        weight += s->kernel[0] * s->kernel[1];
    }
    return sum;
}

MEMPLAN_KERNEL void memplan_conv_f32(const float *x, const float *weight, const float *bias, float *y,
                                     const memplan_window *s)
{
    const int32_t filter = s->in_channels * s->kernel[0] * s->kernel[1];
    const int32_t channels = s->groups * s->out_channels;

    for (int32_t b = 0; b < s->batch; b++) {
        for (int32_t c = 0; c < channels; c++) {
            const int32_t group = (b * s->groups) + (c / s->out_channels);
            const float *const image = &x[group * s->in_channels * s->in[0] * s->in[1]];
            const float start = (bias == NULL) ? 0.0f : bias[c];

            for (int32_t i = 0; i < s->out[0]; i++) {
                for (int32_t j = 0; j < s->out[1]; j++) {
                    const int32_t row = (i * s->stride[0]) - s->pad[0];
                    const int32_t column = (j * s->stride[1]) - s->pad[1];

                    *y = start + conv_sum(image, &weight[c * filter], s, row, column);
                    y++;
                }
            }
        }
    }
}
