/*
 * Does what the kernels of CMSIS-NN are defined to do, in the plainest way: for the sanitizers and the check build on
 * a host. Working memory is filled from end to end, so that a plan that keeps something in it shows.
 */
#include "arm_nnfunctions.h"

#include <stddef.h>
#include <string.h>

static void use(const cmsis_nn_context *context)
{
    if (context->buf != NULL) {
        (void)memset(context->buf, 0x77, (size_t)context->size);
    }
}

static int32_t clamp(int64_t value, int32_t least, int32_t most)
{
    return (int32_t)((value < least) ? least : ((value > most) ? most : value));
}

/* value * multiplier / 2^31, halves up; then divided by 2^-shift, halves away from zero. */
static int32_t requantized(int32_t value, int32_t multiplier, int32_t shift)
{
    const int64_t wide = (shift > 0) ? ((int64_t)value * ((int64_t)1 << shift)) : value;
    const int64_t product = ((wide * multiplier) + ((int64_t)1 << 30)) >> 31;
    const int64_t half = (shift < 0) ? ((int64_t)1 << (-shift - 1)) : 0;

    return (int32_t)((product < 0) ? -((-product + half) >> ((shift < 0) ? -shift : 0))
                                   : ((product + half) >> ((shift < 0) ? -shift : 0)));
}

/* A window that slides over one image of `channels` channels. */
typedef struct {
    const cmsis_nn_dims *in;
    const cmsis_nn_dims *filter;
    cmsis_nn_tile stride;
    cmsis_nn_tile padding;
    cmsis_nn_tile dilation;
} sliding;

/* Index of a pixel's first channel, or -1 in the padding. */
static int32_t pixel(const sliding *s, int32_t n, int32_t row, int32_t column, int32_t r, int32_t c)
{
    const int32_t y = (row * s->stride.h) - s->padding.h + (r * s->dilation.h);
    const int32_t x = (column * s->stride.w) - s->padding.w + (c * s->dilation.w);

    if ((y < 0) || (y >= s->in->h) || (x < 0) || (x >= s->in->w)) {
        return -1;
    }
    return ((((n * s->in->h) + y) * s->in->w) + x) * s->in->c;
}

int32_t arm_convolve_wrapper_s8_get_buffer_size(const cmsis_nn_conv_params *params, const cmsis_nn_dims *in,
                                                const cmsis_nn_dims *filter, const cmsis_nn_dims *out)
{
    const int point = (filter->h == 1) && (filter->w == 1) && (params->padding.h == 0) && (params->padding.w == 0);
    const int row = (in->h == 1) && (filter->h == 1);

    (void)out;
    return (point || row) ? 0 : (4 * filter->h * filter->w * filter->c);
}

arm_cmsis_nn_status arm_convolve_wrapper_s8(const cmsis_nn_context *context, const cmsis_nn_conv_params *params,
                                            const cmsis_nn_per_channel_quant_params *quant, const cmsis_nn_dims *in,
                                            const int8_t *x, const cmsis_nn_dims *filter, const int8_t *weight,
                                            const cmsis_nn_dims *biases, const int32_t *bias,
                                            const cmsis_nn_dims *out, int8_t *y)
{
    const sliding s = { in, filter, params->stride, params->padding, params->dilation };
    const int32_t in_group = filter->c;
    const int32_t out_group = out->c / (in->c / in_group);

    (void)biases;
    use(context);
    for (int32_t at = 0; at < (out->n * out->h * out->w * out->c); at++) {
        const int32_t channel = at % out->c;
        const int32_t column = (at / out->c) % out->w;
        const int32_t row = (at / (out->c * out->w)) % out->h;
        const int32_t n = at / (out->c * out->w * out->h);
        int32_t sum = (bias == NULL) ? 0 : bias[channel];

        for (int32_t tap = 0; tap < (filter->h * filter->w); tap++) {
            const int32_t from = pixel(&s, n, row, column, tap / filter->w, tap % filter->w);

            for (int32_t c = 0; (from >= 0) && (c < in_group); c++) {
                const int32_t v = x[from + ((channel / out_group) * in_group) + c] + params->input_offset;

                sum += v * weight[(((channel * filter->h * filter->w) + tap) * in_group) + c];
            }
        }
        sum = requantized(sum, quant->multiplier[channel], quant->shift[channel]) + params->output_offset;
        y[at] = (int8_t)clamp(sum, params->activation.min, params->activation.max);
    }
    use(context);
    return ARM_CMSIS_NN_SUCCESS;
}

int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size(const cmsis_nn_dw_conv_params *params, const cmsis_nn_dims *in,
                                                      const cmsis_nn_dims *filter, const cmsis_nn_dims *out)
{
    (void)params;
    (void)in;
    (void)filter;
    (void)out;
    return 0;
}

arm_cmsis_nn_status arm_depthwise_conv_wrapper_s8(const cmsis_nn_context *context,
                                                  const cmsis_nn_dw_conv_params *params,
                                                  const cmsis_nn_per_channel_quant_params *quant,
                                                  const cmsis_nn_dims *in, const int8_t *x,
                                                  const cmsis_nn_dims *filter, const int8_t *weight,
                                                  const cmsis_nn_dims *biases, const int32_t *bias,
                                                  const cmsis_nn_dims *out, int8_t *y)
{
    const sliding s = { in, filter, params->stride, params->padding, params->dilation };

    (void)biases;
    use(context);
    for (int32_t at = 0; at < (out->n * out->h * out->w * out->c); at++) {
        const int32_t channel = at % out->c;
        const int32_t column = (at / out->c) % out->w;
        const int32_t row = (at / (out->c * out->w)) % out->h;
        const int32_t n = at / (out->c * out->w * out->h);
        int32_t sum = (bias == NULL) ? 0 : bias[channel];

        for (int32_t tap = 0; tap < (filter->h * filter->w); tap++) {
            const int32_t from = pixel(&s, n, row, column, tap / filter->w, tap % filter->w);

            if (from >= 0) {
                sum += (x[from + (channel / params->ch_mult)] + params->input_offset) *
                       weight[(tap * out->c) + channel];
            }
        }
        sum = requantized(sum, quant->multiplier[channel], quant->shift[channel]) + params->output_offset;
        y[at] = (int8_t)clamp(sum, params->activation.min, params->activation.max);
    }
    use(context);
    return ARM_CMSIS_NN_SUCCESS;
}

int32_t arm_fully_connected_s8_get_buffer_size(const cmsis_nn_dims *filter)
{
#ifdef ARM_MATH_MVEI
    return 4 * filter->c;
#else
    (void)filter;
    return 0;
#endif
}

arm_cmsis_nn_status arm_vector_sum_s8(int32_t *sums, const int32_t columns, const int32_t rows, const int8_t *data,
                                      const int32_t lhs_offset, const int32_t rhs_offset, const int32_t *bias)
{
    for (int32_t row = 0; row < rows; row++) {
        sums[row] = (bias == NULL) ? 0 : bias[row];
        for (int32_t i = 0; i < columns; i++) {
            sums[row] += (data[(row * columns) + i] + rhs_offset) * lhs_offset;
        }
    }
    return ARM_CMSIS_NN_SUCCESS;
}

/* With Helium the sums of the weights, the bias among them, stand in the working memory. */
static arm_cmsis_nn_status connect(const cmsis_nn_context *context, const cmsis_nn_fc_params *params,
                                   const int32_t *multiplier, const int32_t *shift, int each, const cmsis_nn_dims *in,
                                   const int8_t *x, const cmsis_nn_dims *filter, const int8_t *weight,
                                   const int32_t *bias, const cmsis_nn_dims *out, int8_t *y)
{
#ifdef ARM_MATH_MVEI
    const int32_t *const sums = (const int32_t *)context->buf;

    (void)bias;
    if (sums == NULL) {
        return ARM_CMSIS_NN_ARG_ERROR;
    }
#else
    (void)context;
#endif
    for (int32_t at = 0; at < (in->n * out->c); at++) {
        const int32_t column = at % out->c;
        const int32_t i = (each != 0) ? column : 0;
#ifdef ARM_MATH_MVEI
        int32_t sum = sums[column];
        const int32_t offset = 0;
#else
        int32_t sum = (bias == NULL) ? 0 : bias[column];
        const int32_t offset = params->input_offset;
#endif

        for (int32_t k = 0; k < filter->n; k++) {
            sum += (x[((at / out->c) * filter->n) + k] + offset) * weight[(column * filter->n) + k];
        }
        sum = requantized(sum, multiplier[i], shift[i]) + params->output_offset;
        y[at] = (int8_t)clamp(sum, params->activation.min, params->activation.max);
    }
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_fully_connected_s8(const cmsis_nn_context *context, const cmsis_nn_fc_params *params,
                                           const cmsis_nn_per_tensor_quant_params *quant, const cmsis_nn_dims *in,
                                           const int8_t *x, const cmsis_nn_dims *filter, const int8_t *weight,
                                           const cmsis_nn_dims *biases, const int32_t *bias, const cmsis_nn_dims *out,
                                           int8_t *y)
{
    (void)biases;
    return connect(context, params, &quant->multiplier, &quant->shift, 0, in, x, filter, weight, bias, out, y);
}

arm_cmsis_nn_status arm_fully_connected_per_channel_s8(const cmsis_nn_context *context,
                                                       const cmsis_nn_fc_params *params,
                                                       const cmsis_nn_per_channel_quant_params *quant,
                                                       const cmsis_nn_dims *in, const int8_t *x,
                                                       const cmsis_nn_dims *filter, const int8_t *weight,
                                                       const cmsis_nn_dims *biases, const int32_t *bias,
                                                       const cmsis_nn_dims *out, int8_t *y)
{
    (void)biases;
    return connect(context, params, quant->multiplier, quant->shift, 1, in, x, filter, weight, bias, out, y);
}

int32_t arm_avgpool_s8_get_buffer_size(const int width, const int channels)
{
    (void)width;
#if defined(ARM_MATH_DSP) && !defined(ARM_MATH_MVEI)
    return 4 * channels;
#else
    (void)channels;
    return 0;
#endif
}

static arm_cmsis_nn_status pooled(const cmsis_nn_pool_params *params, const cmsis_nn_dims *in, const int8_t *x,
                                  const cmsis_nn_dims *filter, const cmsis_nn_dims *out, int8_t *y, int average)
{
    const cmsis_nn_tile one = { 1, 1 };
    const sliding s = { in, filter, params->stride, params->padding, one };

    for (int32_t at = 0; at < (in->n * out->h * out->w * in->c); at++) {
        const int32_t column = (at / in->c) % out->w;
        const int32_t row = (at / (in->c * out->w)) % out->h;
        const int32_t n = at / (in->c * out->w * out->h);
        int32_t sum = 0;
        int32_t most = INT8_MIN;
        int32_t count = 0;

        for (int32_t tap = 0; tap < (filter->h * filter->w); tap++) {
            const int32_t from = pixel(&s, n, row, column, tap / filter->w, tap % filter->w);

            if (from >= 0) {
                const int32_t v = x[from + (at % in->c)];

                sum += v;
                most = (v > most) ? v : most;
                count++;
            }
        }
        if (average != 0) {
            most = (sum > 0) ? ((sum + (count / 2)) / count) : ((sum - (count / 2)) / count);
        }
        y[at] = (int8_t)clamp(most, params->activation.min, params->activation.max);
    }
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_avgpool_s8(const cmsis_nn_context *context, const cmsis_nn_pool_params *params,
                                   const cmsis_nn_dims *in, const int8_t *x, const cmsis_nn_dims *filter,
                                   const cmsis_nn_dims *out, int8_t *y)
{
    use(context);
    return pooled(params, in, x, filter, out, y, 1);
}

arm_cmsis_nn_status arm_max_pool_s8(const cmsis_nn_context *context, const cmsis_nn_pool_params *params,
                                    const cmsis_nn_dims *in, const int8_t *x, const cmsis_nn_dims *filter,
                                    const cmsis_nn_dims *out, int8_t *y)
{
    use(context);
    return pooled(params, in, x, filter, out, y, 0);
}

/* a * b / 2^31, halves away from zero. */
static int32_t times(int32_t a, int32_t b)
{
    const int64_t product = (int64_t)a * b;
    const int64_t half = (int64_t)1 << 30;

    return (int32_t)((product < 0) ? -((-product + half) >> 31) : ((product + half) >> 31));
}

/* a / 2^bits, halves away from zero. */
static int32_t halved(int32_t a, int32_t bits)
{
    const int64_t half = (bits > 0) ? ((int64_t)1 << (bits - 1)) : 0;
    const int64_t wide = a;

    return (int32_t)((wide < 0) ? -((-wide + half) >> bits) : ((wide + half) >> bits));
}

/* e^a with 31 bits behind the point; a at most 0, with 26: a series around -1/8, and a factor for each bit above 1/4. */
static int32_t power(int32_t a)
{
    static const int32_t factors[] = { 1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242 };
    const int32_t quarter = 1 << 24;
    const int32_t part = (int32_t)((uint32_t)a & (uint32_t)(quarter - 1)) - quarter;
    const int32_t x = (part * 32) + (1 << 28);
    const int32_t x2 = times(x, x);
    const int32_t series = times(halved(times(x2, x2), 2) + times(x2, x), 715827883) + x2;
    int32_t result = 1895147668 + times(1895147668, x + halved(series, 1));

    for (int32_t bit = 0; bit < 7; bit++) {
        if ((((uint32_t)part - (uint32_t)a) & ((uint32_t)quarter << bit)) != 0u) {
            result = times(result, factors[bit]);
        }
    }
    return (a == 0) ? INT32_MAX : result;
}

/* 1 / (1 + a) with 31 bits behind the point, a between 0 and 1: three steps of Newton and Raphson. */
static int32_t inverse(int32_t a)
{
    const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
    int64_t x = 1515870810 + (int64_t)times(half, -1010580540);

    for (int32_t i = 0; i < 3; i++) {
        x += (int64_t)times((int32_t)x, (1 << 29) - times(half, (int32_t)x)) * 4;
    }
    return clamp(x * 2, INT32_MIN, INT32_MAX);
}

void arm_softmax_s8(const int8_t *x, const int32_t rows, const int32_t size, const int32_t multiplier,
                    const int32_t shift, const int32_t least, int8_t *y)
{
    for (int32_t row = 0; row < rows; row++) {
        const int8_t *const from = &x[row * size];
        int32_t most = INT8_MIN;
        int32_t sum = 0;
        int32_t headroom = 0;
        int32_t scale;

        for (int32_t i = 0; i < size; i++) {
            most = (from[i] > most) ? from[i] : most;
        }
        for (int32_t i = 0; i < size; i++) {
            if ((from[i] - most) >= least) {
                sum += halved(power(times((from[i] - most) * (1 << shift), multiplier)), 12);
            }
        }
        while (((uint32_t)sum << headroom) < 0x80000000u) {
            headroom++;
        }
        scale = inverse((int32_t)(((uint32_t)sum << headroom) - 0x80000000u));
        for (int32_t i = 0; i < size; i++) {
            const int32_t distance = from[i] - most;
            const int32_t share =
                (distance < least) ? 0
                                   : halved(times(scale, power(times(distance * (1 << shift), multiplier))), 35 - headroom);

            y[(row * size) + i] = (int8_t)clamp(share - 128, INT8_MIN, INT8_MAX);
        }
    }
}

arm_cmsis_nn_status arm_elementwise_add_s8(const int8_t *a, const int8_t *b, const int32_t a_offset,
                                           const int32_t a_multiplier, const int32_t a_shift, const int32_t b_offset,
                                           const int32_t b_multiplier, const int32_t b_shift, const int32_t left,
                                           int8_t *y, const int32_t y_offset, const int32_t y_multiplier,
                                           const int32_t y_shift, const int32_t least, const int32_t most,
                                           const int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t p = requantized((a[i] + a_offset) * (1 << left), a_multiplier, a_shift);
        const int32_t q = requantized((b[i] + b_offset) * (1 << left), b_multiplier, b_shift);

        y[i] = (int8_t)clamp(requantized(p + q, y_multiplier, y_shift) + y_offset, least, most);
    }
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_elementwise_mul_s8(const int8_t *a, const int8_t *b, const int32_t a_offset,
                                           const int32_t b_offset, int8_t *y, const int32_t y_offset,
                                           const int32_t y_multiplier, const int32_t y_shift, const int32_t least,
                                           const int32_t most, const int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t product = (a[i] + a_offset) * (b[i] + b_offset);

        y[i] = (int8_t)clamp(requantized(product, y_multiplier, y_shift) + y_offset, least, most);
    }
    return ARM_CMSIS_NN_SUCCESS;
}
