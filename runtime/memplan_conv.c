/* Convolution, float32: with groups, strides, dilations and padding; depthwise is one channel a group. */
#include "memplan_support.h"

/* Rows of so many taps are summed up output by output. */
#define CONV_LONG 16

/* One output element before its bias; `row` and `column` say where its window begins. */
MEMPLAN_APART float conv_sum(const float *x, const float *weight, const memplan_window *s, int32_t row, int32_t column)
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
        x = &x[s->in[0] * s->in[1]];
        weight = &weight[s->kernel[0] * s->kernel[1]];
    }
    return sum;
}

/* Adds one tap of four channels to n outputs of a row. `plane` and `taps` lead from channel to channel. */
MEMPLAN_APART void conv_add_four(float *y, const float *x, int32_t plane, int32_t step, const float *weight,
                                 int32_t taps, int32_t n)
{
    const float *const x1 = &x[plane];
    const float *const x2 = &x[2 * plane];
    const float *const x3 = &x[3 * plane];
    const float w0 = weight[0];
    const float w1 = weight[taps];
    const float w2 = weight[2 * taps];
    const float w3 = weight[3 * taps];

    if (step == 1) {
        MEMPLAN_INDEPENDENT
        for (int32_t j = 0; j < n; j++) {
            y[j] += ((w0 * x[j]) + (w1 * x1[j])) + ((w2 * x2[j]) + (w3 * x3[j]));
        }
    } else {
        MEMPLAN_INDEPENDENT
        for (int32_t j = 0; j < n; j++) {
            const int32_t at = j * step;

            y[j] += ((w0 * x[at]) + (w1 * x1[at])) + ((w2 * x2[at]) + (w3 * x3[at]));
        }
    }
}

MEMPLAN_APART void conv_add_one(float *y, const float *x, int32_t step, float w, int32_t n)
{
    if (step == 1) {
        MEMPLAN_INDEPENDENT
        for (int32_t j = 0; j < n; j++) {
            y[j] += w * x[j];
        }
    } else {
        MEMPLAN_INDEPENDENT
        for (int32_t j = 0; j < n; j++) {
            y[j] += w * x[j * step];
        }
    }
}

/* Adds to the row of outputs whose windows begin in `row`, tap by tap, so that the outputs of a row are one loop. */
MEMPLAN_APART void conv_row(const float *x, const float *weight, float *y, const memplan_window *s, int32_t row)
{
    const int32_t plane = s->in[0] * s->in[1];
    const int32_t taps = s->kernel[0] * s->kernel[1];
    const int32_t end_i = memplan_end_tap(row, s->dilation[0], s->kernel[0], s->in[0]);

    for (int32_t i = memplan_first_tap(row, s->dilation[0]); i < end_i; i++) {
        const float *const line = &x[(row + (i * s->dilation[0])) * s->in[1]];

        for (int32_t k = 0; k < s->kernel[1]; k++) {
            const memplan_reach reach = memplan_reached(s, k);
            const float *const from = &line[reach.column];
            const float *const w = &weight[(i * s->kernel[1]) + k];
            int32_t c = 0;

            for (; (reach.n > 0) && ((c + 3) < s->in_channels); c += 4) {
                conv_add_four(&y[reach.first], &from[c * plane], plane, s->stride[1], &w[c * taps], taps, reach.n);
            }
            for (; (reach.n > 0) && (c < s->in_channels); c++) {
                conv_add_one(&y[reach.first], &from[c * plane], s->stride[1], w[c * taps], reach.n);
            }
        }
    }
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
            /* The taps of a long filter are a loop by themselves, and a dot product rounds less than one sum of them all. */
            const bool alone = (s->out[1] < MEMPLAN_NARROW) || (s->kernel[1] >= CONV_LONG);

            for (int32_t i = 0; i < s->out[0]; i++) {
                const int32_t row = (i * s->stride[0]) - s->pad[0];

                for (int32_t j = 0; j < s->out[1]; j++) {
                    const int32_t column = (j * s->stride[1]) - s->pad[1];

                    y[j] = alone ? (start + conv_sum(image, &weight[c * filter], s, row, column)) : start;
                }
                if (!alone) {
                    conv_row(image, &weight[c * filter], y, s, row);
                }
                y = &y[s->out[1]];
            }
        }
    }
}
