/* Calls of CMSIS-NN. MEMPLAN_CMSIS_NN is the version that the plan is for, MEMPLAN_CMSIS_NN_BUILD its build. */
#include "memplan_cmsis_nn.h"
#include "memplan_support.h"

#include "arm_nnfunctions.h"

#if defined(ARM_MATH_MVEI)
#define ARM_BUILD 3
#elif defined(ARM_MATH_DSP)
#define ARM_BUILD 2
#else
#define ARM_BUILD 1
#endif
#if MEMPLAN_CMSIS_NN_BUILD != ARM_BUILD
#error "memplan: the plan counts on another build of CMSIS-NN: --kernels-build scalar (1), dsp (2) or mve (3)"
#endif

/* Bits that a sum has more than its operands. */
#define ARM_SUM_SHIFT 20

/* The library takes tables of numbers as pointers to what may change, and changes nothing. */
static int32_t *arm_numbers(const int32_t *numbers)
{
    return (int32_t *)(uintptr_t)numbers;
}

static cmsis_nn_context arm_context(void *scratch, size_t bytes)
{
    const cmsis_nn_context context = { scratch, (int32_t)bytes };

    return context;
}

static cmsis_nn_tile arm_tile(const int32_t *sides)
{
    const cmsis_nn_tile tile = { sides[1], sides[0] };

    return tile;
}

static cmsis_nn_dims arm_dims(int32_t n, const int32_t *sides, int32_t c)
{
    const cmsis_nn_dims dims = { n, sides[0], sides[1], c };

    return dims;
}

static cmsis_nn_activation arm_limits(int32_t least, int32_t most)
{
    const cmsis_nn_activation limits = { least, most };

    return limits;
}

/* What a function returns: 0 for success. */
static int arm_refused(arm_cmsis_nn_status status)
{
    return (status == ARM_CMSIS_NN_SUCCESS) ? 0 : 1;
}

static bool arm_lacks(size_t bytes, int32_t wanted)
{
    return (wanted > 0) && (bytes < (size_t)wanted);
}

MEMPLAN_KERNEL int memplan_arm_conv(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                                    void *scratch, size_t bytes, const memplan_window *s,
                                    const memplan_arm_product *q)
{
    const cmsis_nn_context context = arm_context(scratch, bytes);
    const cmsis_nn_conv_params params = {
        .input_offset = -q->x_zero,
        .output_offset = q->y_zero,
        .stride = arm_tile(s->stride),
        .padding = arm_tile(s->pad),
        .dilation = arm_tile(s->dilation),
        .activation = arm_limits(q->least, q->most),
    };
    const cmsis_nn_per_channel_quant_params quant = { arm_numbers(q->multiplier), arm_numbers(q->shift) };
    const int32_t channels = s->groups * s->out_channels;
    const cmsis_nn_dims in = arm_dims(s->batch, s->in, s->groups * s->in_channels);
    const cmsis_nn_dims filter = arm_dims(channels, s->kernel, s->in_channels);
    const cmsis_nn_dims biases = { 1, 1, 1, channels };
    const cmsis_nn_dims out = arm_dims(s->batch, s->out, channels);

    if (arm_lacks(bytes, arm_convolve_wrapper_s8_get_buffer_size(&params, &in, &filter, &out))) {
        return 1;
    }
    return arm_refused(arm_convolve_wrapper_s8(&context, &params, &quant, &in, x, &filter, weight, &biases, bias, &out,
                                               y));
}

MEMPLAN_KERNEL int memplan_arm_depthwise(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                                         void *scratch, size_t bytes, const memplan_window *s,
                                         const memplan_arm_product *q)
{
    const cmsis_nn_context context = arm_context(scratch, bytes);
    const cmsis_nn_dw_conv_params params = {
        .input_offset = -q->x_zero,
        .output_offset = q->y_zero,
        .ch_mult = s->out_channels,
        .stride = arm_tile(s->stride),
        .padding = arm_tile(s->pad),
        .dilation = arm_tile(s->dilation),
        .activation = arm_limits(q->least, q->most),
    };
    const cmsis_nn_per_channel_quant_params quant = { arm_numbers(q->multiplier), arm_numbers(q->shift) };
    const int32_t channels = s->groups * s->out_channels;
    const cmsis_nn_dims in = arm_dims(s->batch, s->in, s->groups);
    const cmsis_nn_dims filter = arm_dims(1, s->kernel, channels);
    const cmsis_nn_dims biases = { 1, 1, 1, channels };
    const cmsis_nn_dims out = arm_dims(s->batch, s->out, channels);

    if (arm_lacks(bytes, arm_depthwise_conv_wrapper_s8_get_buffer_size(&params, &in, &filter, &out))) {
        return 1;
    }
    return arm_refused(arm_depthwise_conv_wrapper_s8(&context, &params, &quant, &in, x, &filter, weight, &biases, bias,
                                                     &out, y));
}

MEMPLAN_KERNEL int memplan_arm_dense(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                                     void *scratch, size_t bytes, const memplan_arm_matrix *s,
                                     const memplan_arm_product *q)
{
    const cmsis_nn_context context = arm_context(scratch, bytes);
    const cmsis_nn_fc_params params = {
        .input_offset = -q->x_zero,
        .filter_offset = 0,
        .output_offset = q->y_zero,
        .activation = arm_limits(q->least, q->most),
    };
    const cmsis_nn_dims in = { s->rows, 1, 1, s->depth };
    const cmsis_nn_dims filter = { s->depth, 1, 1, s->columns };
    const cmsis_nn_dims biases = { 1, 1, 1, s->columns };
    const cmsis_nn_dims out = { s->rows, 1, 1, s->columns };
    const int32_t wanted = arm_fully_connected_s8_get_buffer_size(&filter);

    if (arm_lacks(bytes, wanted)) {
        return 1;
    }
    if (wanted > 0) {
#if MEMPLAN_CMSIS_NN >= 7
        (void)arm_vector_sum_s8((int32_t *)scratch, s->depth, s->columns, weight, -q->x_zero, 0, bias);
#elif MEMPLAN_CMSIS_NN == 6
        (void)arm_vector_sum_s8((int32_t *)scratch, s->depth, s->columns, weight, 1, NULL);
#else
        (void)arm_vector_sum_s8((int32_t *)scratch, s->depth, s->columns, weight);
#endif
    }
#if MEMPLAN_CMSIS_NN >= 7
    if (s->each != 0) {
        const cmsis_nn_per_channel_quant_params quant = { arm_numbers(q->multiplier), arm_numbers(q->shift) };

        return arm_refused(arm_fully_connected_per_channel_s8(&context, &params, &quant, &in, x, &filter, weight,
                                                              &biases, bias, &out, y));
    }
#endif
    {
        const cmsis_nn_per_tensor_quant_params quant = { q->multiplier[0], q->shift[0] };

        return arm_refused(arm_fully_connected_s8(&context, &params, &quant, &in, x, &filter, weight, &biases, bias,
                                                  &out, y));
    }
}

MEMPLAN_KERNEL int memplan_arm_average_pool(const int8_t *x, int8_t *y, void *scratch, size_t bytes,
                                            const memplan_window *s, int32_t least, int32_t most)
{
    const cmsis_nn_context context = arm_context(scratch, bytes);
    const cmsis_nn_pool_params params = {
        .stride = arm_tile(s->stride),
        .padding = arm_tile(s->pad),
        .activation = arm_limits(least, most),
    };
    const cmsis_nn_dims in = arm_dims(s->batch, s->in, s->in_channels);
    const cmsis_nn_dims filter = arm_dims(1, s->kernel, 1);
    const cmsis_nn_dims out = arm_dims(s->batch, s->out, s->in_channels);

    if (arm_lacks(bytes, arm_avgpool_s8_get_buffer_size(out.w, in.c))) {
        return 1;
    }
    return arm_refused(arm_avgpool_s8(&context, &params, &in, x, &filter, &out, y));
}

MEMPLAN_KERNEL int memplan_arm_max_pool(const int8_t *x, int8_t *y, const memplan_window *s, int32_t least,
                                        int32_t most)
{
    const cmsis_nn_context context = { NULL, 0 };
    const cmsis_nn_pool_params params = {
        .stride = arm_tile(s->stride),
        .padding = arm_tile(s->pad),
        .activation = arm_limits(least, most),
    };
    const cmsis_nn_dims in = arm_dims(s->batch, s->in, s->in_channels);
    const cmsis_nn_dims filter = arm_dims(1, s->kernel, 1);
    const cmsis_nn_dims out = arm_dims(s->batch, s->out, s->in_channels);

    return arm_refused(arm_max_pool_s8(&context, &params, &in, x, &filter, &out, y));
}

MEMPLAN_KERNEL int memplan_arm_softmax(const int8_t *x, int8_t *y, const memplan_arm_rows *s)
{
    arm_softmax_s8(x, s->rows, s->size, s->multiplier, s->shift, s->least_distance, y);
    return 0;
}

MEMPLAN_KERNEL int memplan_arm_add(const int8_t *a, const int8_t *b, int8_t *y, size_t n, const memplan_arm_pair *s)
{
    return arm_refused(arm_elementwise_add_s8(a, b, -s->a_zero, s->multiplier[0], s->shift[0], -s->b_zero,
                                              s->multiplier[1], s->shift[1], ARM_SUM_SHIFT, y, s->y_zero,
                                              s->multiplier[2], s->shift[2], s->least, s->most, (int32_t)n));
}

MEMPLAN_KERNEL int memplan_arm_mul(const int8_t *a, const int8_t *b, int8_t *y, size_t n, const memplan_arm_pair *s)
{
    return arm_refused(arm_elementwise_mul_s8(a, b, -s->a_zero, -s->b_zero, y, s->y_zero, s->multiplier[2], s->shift[2],
                                              s->least, s->most, (int32_t)n));
}
