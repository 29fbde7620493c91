/*
 * Stands in for the header of CMSIS-NN where the library is not there: the types and functions that memplan_cmsis_nn.c
 * uses, as its documentation names them, release 7, and nothing else. Written for these tests.
 */
#ifndef ARM_NNFUNCTIONS_H
#define ARM_NNFUNCTIONS_H

#include <stdint.h>

/* What the compiler's options tell the library's own header; here the test says it. */
#if STAND_IN_BUILD == 3
#define ARM_MATH_MVEI 1
#define ARM_MATH_DSP 1
#elif STAND_IN_BUILD == 2
#define ARM_MATH_DSP 1
#endif

typedef enum { ARM_CMSIS_NN_SUCCESS = 0, ARM_CMSIS_NN_ARG_ERROR = -1 } arm_cmsis_nn_status;

typedef struct {
    void *buf;
    int32_t size;
} cmsis_nn_context;

typedef struct {
    int32_t w;
    int32_t h;
} cmsis_nn_tile;

typedef struct {
    int32_t n;
    int32_t h;
    int32_t w;
    int32_t c;
} cmsis_nn_dims;

typedef struct {
    int32_t min;
    int32_t max;
} cmsis_nn_activation;

typedef struct {
    int32_t *multiplier;
    int32_t *shift;
} cmsis_nn_per_channel_quant_params;

typedef struct {
    int32_t multiplier;
    int32_t shift;
} cmsis_nn_per_tensor_quant_params;

typedef struct {
    int32_t input_offset;
    int32_t output_offset;
    cmsis_nn_tile stride;
    cmsis_nn_tile padding;
    cmsis_nn_tile dilation;
    cmsis_nn_activation activation;
} cmsis_nn_conv_params;

typedef struct {
    int32_t input_offset;
    int32_t output_offset;
    int32_t ch_mult;
    cmsis_nn_tile stride;
    cmsis_nn_tile padding;
    cmsis_nn_tile dilation;
    cmsis_nn_activation activation;
} cmsis_nn_dw_conv_params;

typedef struct {
    int32_t input_offset;
    int32_t filter_offset;
    int32_t output_offset;
    cmsis_nn_activation activation;
} cmsis_nn_fc_params;

typedef struct {
    cmsis_nn_tile stride;
    cmsis_nn_tile padding;
    cmsis_nn_activation activation;
} cmsis_nn_pool_params;

int32_t arm_convolve_wrapper_s8_get_buffer_size(const cmsis_nn_conv_params *params, const cmsis_nn_dims *in,
                                                const cmsis_nn_dims *filter, const cmsis_nn_dims *out);
arm_cmsis_nn_status arm_convolve_wrapper_s8(const cmsis_nn_context *context, const cmsis_nn_conv_params *params,
                                            const cmsis_nn_per_channel_quant_params *quant, const cmsis_nn_dims *in,
                                            const int8_t *x, const cmsis_nn_dims *filter, const int8_t *weight,
                                            const cmsis_nn_dims *biases, const int32_t *bias,
                                            const cmsis_nn_dims *out, int8_t *y);

int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size(const cmsis_nn_dw_conv_params *params, const cmsis_nn_dims *in,
                                                      const cmsis_nn_dims *filter, const cmsis_nn_dims *out);
arm_cmsis_nn_status arm_depthwise_conv_wrapper_s8(const cmsis_nn_context *context,
                                                  const cmsis_nn_dw_conv_params *params,
                                                  const cmsis_nn_per_channel_quant_params *quant,
                                                  const cmsis_nn_dims *in, const int8_t *x,
                                                  const cmsis_nn_dims *filter, const int8_t *weight,
                                                  const cmsis_nn_dims *biases, const int32_t *bias,
                                                  const cmsis_nn_dims *out, int8_t *y);

int32_t arm_fully_connected_s8_get_buffer_size(const cmsis_nn_dims *filter);
/* Its last parameters come and go with the releases; this is 7. */
arm_cmsis_nn_status arm_vector_sum_s8(int32_t *sums, const int32_t columns, const int32_t rows, const int8_t *data,
                                      const int32_t lhs_offset, const int32_t rhs_offset, const int32_t *bias);
arm_cmsis_nn_status arm_fully_connected_s8(const cmsis_nn_context *context, const cmsis_nn_fc_params *params,
                                           const cmsis_nn_per_tensor_quant_params *quant, const cmsis_nn_dims *in,
                                           const int8_t *x, const cmsis_nn_dims *filter, const int8_t *weight,
                                           const cmsis_nn_dims *biases, const int32_t *bias, const cmsis_nn_dims *out,
                                           int8_t *y);
arm_cmsis_nn_status arm_fully_connected_per_channel_s8(const cmsis_nn_context *context,
                                                       const cmsis_nn_fc_params *params,
                                                       const cmsis_nn_per_channel_quant_params *quant,
                                                       const cmsis_nn_dims *in, const int8_t *x,
                                                       const cmsis_nn_dims *filter, const int8_t *weight,
                                                       const cmsis_nn_dims *biases, const int32_t *bias,
                                                       const cmsis_nn_dims *out, int8_t *y);

int32_t arm_avgpool_s8_get_buffer_size(const int width, const int channels);
arm_cmsis_nn_status arm_avgpool_s8(const cmsis_nn_context *context, const cmsis_nn_pool_params *params,
                                   const cmsis_nn_dims *in, const int8_t *x, const cmsis_nn_dims *filter,
                                   const cmsis_nn_dims *out, int8_t *y);
arm_cmsis_nn_status arm_max_pool_s8(const cmsis_nn_context *context, const cmsis_nn_pool_params *params,
                                    const cmsis_nn_dims *in, const int8_t *x, const cmsis_nn_dims *filter,
                                    const cmsis_nn_dims *out, int8_t *y);

void arm_softmax_s8(const int8_t *x, const int32_t rows, const int32_t size, const int32_t multiplier,
                    const int32_t shift, const int32_t least, int8_t *y);

arm_cmsis_nn_status arm_elementwise_add_s8(const int8_t *a, const int8_t *b, const int32_t a_offset,
                                           const int32_t a_multiplier, const int32_t a_shift, const int32_t b_offset,
                                           const int32_t b_multiplier, const int32_t b_shift, const int32_t left,
                                           int8_t *y, const int32_t y_offset, const int32_t y_multiplier,
                                           const int32_t y_shift, const int32_t least, const int32_t most,
                                           const int32_t count);
arm_cmsis_nn_status arm_elementwise_mul_s8(const int8_t *a, const int8_t *b, const int32_t a_offset,
                                           const int32_t b_offset, int8_t *y, const int32_t y_offset,
                                           const int32_t y_multiplier, const int32_t y_shift, const int32_t least,
                                           const int32_t most, const int32_t count);

#endif
