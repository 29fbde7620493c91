/*
 * The kernels that a generated runner calls: plain functions on pointers and sizes.
 *
 * Those that go element by element are declared in memplan_elements.h.
 *
 * Tensors are dense and in the order of the model (NCHW). No kernel allocates, keeps state between calls, or has
 * a frame of more than 256 bytes. Sizes and strides count elements; no dimension is 0; a tensor has fewer than
 * 2^31 elements.
 *
 * Overlap: y may be the very bytes of an operand only where the comment says "in place". Other operands never overlap
 * y, in whole or in part.
 *
 * Every kernel is a weak symbol: a function of the same name and type in the firmware takes its place.
 */
#ifndef MEMPLAN_KERNELS_H
#define MEMPLAN_KERNELS_H

#include "memplan_elements.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Moving elements. width: bytes of an element ---- */

void memplan_copy(const void *x, void *y, size_t bytes);
/** Copies the grid's elements from x (first strides) to y (second strides). */
void memplan_copy_grid(const void *x, void *y, size_t width, const memplan_grid *grid);
/** n times the element at value. */
void memplan_fill(void *y, const void *value, size_t width, size_t n);

typedef enum { MEMPLAN_PAD_EDGE, MEMPLAN_PAD_REFLECT, MEMPLAN_PAD_WRAP } memplan_pad_mode;

typedef struct {
    memplan_pad_mode mode;
    int32_t rank;
    int32_t in[MEMPLAN_RANK];
    int32_t out[MEMPLAN_RANK];
    int32_t head[MEMPLAN_RANK]; /* negative: cut off */
} memplan_padding;

void memplan_pad(const void *x, void *y, size_t width, const memplan_padding *padding);

/** Slices of inner elements from x[outer][size][inner]; a negative index counts from the end. */
typedef struct {
    int32_t outer;
    int32_t size;
    int32_t inner;
    int32_t count; /* indexes */
} memplan_gathering;

void memplan_gather_i32(const void *x, const int32_t *indexes, void *y, size_t width, const memplan_gathering *g);
void memplan_gather_i64(const void *x, const int64_t *indexes, void *y, size_t width, const memplan_gathering *g);

/** One axis of a tensor [outer][size][inner]. */
typedef struct {
    int32_t outer;
    int32_t size;
    int32_t inner;
} memplan_axis;

/** Along the axis of y the second of two values at the index, the first elsewhere; outside the axis nowhere. */
void memplan_one_hot_i32(const int32_t *indexes, const void *values, void *y, size_t width, const memplan_axis *axis);
void memplan_one_hot_i64(const int64_t *indexes, const void *values, void *y, size_t width, const memplan_axis *axis);

/** Writes slices of `inner` elements at places of y that `depth` numbers each name. */
typedef struct {
    int32_t count;
    int32_t depth; /* at most MEMPLAN_RANK */
    int32_t inner;
    int32_t shape[MEMPLAN_RANK]; /* the dimensions that the numbers count in */
} memplan_scattering;

/** y holds the data already. */
void memplan_scatter_nd_i64(const int64_t *indexes, const void *updates, void *y, size_t width,
                            const memplan_scattering *s);

/** Separable maps of the last two axes: `rows` and `columns` say which element of x each of y shows. */
typedef struct {
    int32_t planes;
    int32_t in[2];
    int32_t out[2];
} memplan_resizing;

void memplan_resize_nearest(const void *x, void *y, size_t width, const int32_t *rows, const int32_t *columns,
                            const memplan_resizing *s);

/** y = x[first] * (1 - part) + x[second] * part along one axis. */
typedef struct {
    int32_t first;
    int32_t second;
    float part;
} memplan_tap;

void memplan_resize_linear_f32(const float *x, float *y, const memplan_tap *rows, const memplan_tap *columns,
                               const memplan_resizing *s);
/** Rounded in the distance from the zero point. */
void memplan_resize_linear_u8(const uint8_t *x, uint8_t *y, const memplan_tap *rows, const memplan_tap *columns,
                              const memplan_resizing *s, int32_t zero);
void memplan_resize_linear_s8(const int8_t *x, int8_t *y, const memplan_tap *rows, const memplan_tap *columns,
                              const memplan_resizing *s, int32_t zero);

/* ---- Reductions, float32. First strides: the axes that stay; second strides of `over`: those that go ---- */

typedef struct {
    memplan_grid kept;
    memplan_grid over;
} memplan_reduction;

void memplan_reduce_sum_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_mean_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_max_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_min_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_prod_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_l1_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_l2_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_sum_square_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_log_sum_f32(const float *x, float *y, const memplan_reduction *r);
void memplan_reduce_log_sum_exp_f32(const float *x, float *y, const memplan_reduction *r);

void memplan_reduce_max_u8(const uint8_t *x, uint8_t *y, const memplan_reduction *r);
void memplan_reduce_max_s8(const int8_t *x, int8_t *y, const memplan_reduction *r);
void memplan_reduce_min_u8(const uint8_t *x, uint8_t *y, const memplan_reduction *r);
void memplan_reduce_min_s8(const int8_t *x, int8_t *y, const memplan_reduction *r);
/** y = saturate(round((sum - count * x_zero) / count * scale) + y_zero) */
void memplan_reduce_qmean_u8(const uint8_t *x, uint8_t *y, const memplan_reduction *r, int32_t x_zero, float scale,
                             int32_t y_zero);
void memplan_reduce_qmean_s8(const int8_t *x, int8_t *y, const memplan_reduction *r, int32_t x_zero, float scale,
                             int32_t y_zero);

/** Of equal elements the first, or with `last` the last. */
void memplan_argmax_f32(const float *x, int64_t *y, const memplan_axis *axis, int last);
void memplan_argmin_f32(const float *x, int64_t *y, const memplan_axis *axis, int last);
void memplan_argmax_u8(const uint8_t *x, int64_t *y, const memplan_axis *axis, int last);
void memplan_argmax_s8(const int8_t *x, int64_t *y, const memplan_axis *axis, int last);
void memplan_softmax_f32(const float *x, float *y, const memplan_axis *axis);
void memplan_log_softmax_f32(const float *x, float *y, const memplan_axis *axis);

/* ---- Normalisation, float32 ---- */

/** The axis is that of the channels; in place over x. */
void memplan_batch_norm_f32(const float *x, const float *scale, const float *bias, const float *mean,
                            const float *variance, float *y, const memplan_axis *axis, float epsilon);
/** outer: batch, size: channels, inner: pixels. */
void memplan_instance_norm_f32(const float *x, const float *scale, const float *bias, float *y,
                               const memplan_axis *axis, float epsilon);
/** Over the last `size` elements; bias may be null; inner is 1. */
void memplan_layer_norm_f32(const float *x, const float *scale, const float *bias, float *y,
                            const memplan_axis *axis, float epsilon);

typedef struct {
    memplan_axis axis; /* of the channels */
    int32_t size;
    float alpha;
    float beta;
    float bias;
} memplan_lrn;

void memplan_lrn_f32(const float *x, float *y, const memplan_lrn *s);

/* ---- Products ---- */

/** Two spatial dimensions; one alone has the other as 1. Channels are those of one group. */
typedef struct {
    int32_t batch;
    int32_t groups;
    int32_t in_channels;
    int32_t out_channels;
    int32_t in[2];
    int32_t out[2];
    int32_t kernel[2];
    int32_t stride[2];
    int32_t dilation[2];
    int32_t pad[2]; /* before the first row and column */
} memplan_window;

/** bias may be null. */
void memplan_conv_f32(const float *x, const float *weight, const float *bias, float *y, const memplan_window *s);
/** weight: [in channels][out channels of a group][kernel]. bias may be null. */
void memplan_conv_transpose_f32(const float *x, const float *weight, const float *bias, float *y,
                                const memplan_window *s);

/** The steps of a quantised product: y = saturate(round((x - x_zero)(w - w_zero) * scale) + y_zero). */
typedef struct {
    const float *scale;
    int32_t scale_step; /* 1: a scale for each output channel or column, 0: one for all */
    int32_t x_zero;
    int32_t w_zero;
    int32_t y_zero;
} memplan_requant;

void memplan_qconv_u8u8(const uint8_t *x, const uint8_t *weight, const int32_t *bias, uint8_t *y,
                        const memplan_window *s, const memplan_requant *q);
void memplan_qconv_u8s8(const uint8_t *x, const int8_t *weight, const int32_t *bias, uint8_t *y,
                        const memplan_window *s, const memplan_requant *q);
void memplan_qconv_s8s8(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                        const memplan_window *s, const memplan_requant *q);

/** weight as in memplan_conv_transpose_f32. */
void memplan_qconv_transpose_u8u8(const uint8_t *x, const uint8_t *weight, const int32_t *bias, uint8_t *y,
                                  const memplan_window *s, const memplan_requant *q);
void memplan_qconv_transpose_u8s8(const uint8_t *x, const int8_t *weight, const int32_t *bias, uint8_t *y,
                                  const memplan_window *s, const memplan_requant *q);
void memplan_qconv_transpose_s8s8(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y,
                                  const memplan_window *s, const memplan_requant *q);

/** y[rows][columns] = a[rows][depth] b[depth][columns] for each batch; the batch strides are those of a and b. */
typedef struct {
    memplan_grid batch;
    int32_t rows;
    int32_t columns;
    int32_t depth;
    int32_t a_stride[2]; /* from row to row, and along the depth */
    int32_t b_stride[2]; /* along the depth, and from column to column */
} memplan_product;

void memplan_matmul_f32(const float *a, const float *b, float *y, const memplan_product *s);

/** y = alpha a b + beta c; c may be null; c_stride: from row to row, and from column to column. */
typedef struct {
    memplan_product product; /* one batch */
    int32_t c_stride[2];
    float alpha;
    float beta;
} memplan_gemm;

void memplan_gemm_f32(const float *a, const float *b, const float *c, float *y, const memplan_gemm *s);

/** bias, one for each column, may be null. */
void memplan_qmatmul_u8u8(const uint8_t *a, const uint8_t *b, const int32_t *bias, uint8_t *y,
                          const memplan_product *s, const memplan_requant *q);
void memplan_qmatmul_u8s8(const uint8_t *a, const int8_t *b, const int32_t *bias, uint8_t *y,
                          const memplan_product *s, const memplan_requant *q);
void memplan_qmatmul_s8s8(const int8_t *a, const int8_t *b, const int32_t *bias, int8_t *y,
                          const memplan_product *s, const memplan_requant *q);

/** Zero points are tensors of one element, or null for 0. */
void memplan_conv_integer_u8u8(const uint8_t *x, const uint8_t *weight, const uint8_t *x_zero,
                               const uint8_t *w_zero, int32_t *y, const memplan_window *s);
void memplan_conv_integer_u8s8(const uint8_t *x, const int8_t *weight, const uint8_t *x_zero,
                               const int8_t *w_zero, int32_t *y, const memplan_window *s);
void memplan_conv_integer_s8s8(const int8_t *x, const int8_t *weight, const int8_t *x_zero,
                               const int8_t *w_zero, int32_t *y, const memplan_window *s);
/** The same; with `each` b has a zero point for every column. */
void memplan_matmul_integer_u8u8(const uint8_t *a, const uint8_t *b, const uint8_t *a_zero,
                                 const uint8_t *b_zero, int32_t *y, const memplan_product *s, int each);
void memplan_matmul_integer_u8s8(const uint8_t *a, const int8_t *b, const uint8_t *a_zero, const int8_t *b_zero,
                                 int32_t *y, const memplan_product *s, int each);
void memplan_matmul_integer_s8s8(const int8_t *a, const int8_t *b, const int8_t *a_zero, const int8_t *b_zero,
                                 int32_t *y, const memplan_product *s, int each);

/* ---- Pools ---- */

/** As memplan_window, over planes (batch times channels). */
typedef struct {
    int32_t planes;
    int32_t in[2];
    int32_t out[2];
    int32_t kernel[2];
    int32_t stride[2];
    int32_t dilation[2];
    int32_t pad[2];
    int32_t pad_end[2];
    int32_t count_padding; /* averages: 1 when the padding counts */
} memplan_pooling;

void memplan_max_pool_f32(const float *x, float *y, const memplan_pooling *s);
void memplan_max_pool_u8(const uint8_t *x, uint8_t *y, const memplan_pooling *s);
void memplan_max_pool_s8(const int8_t *x, int8_t *y, const memplan_pooling *s);
void memplan_average_pool_f32(const float *x, float *y, const memplan_pooling *s);

/** y = saturate(round((sum - count * x_zero) / count * scale + fixed) + y_zero) over each window. */
typedef struct {
    memplan_pooling pool;
    int32_t x_zero;
    int32_t y_zero;
    float scale;
    float fixed;
} memplan_qpooling;

void memplan_qaverage_pool_u8(const uint8_t *x, uint8_t *y, const memplan_qpooling *q);
void memplan_qaverage_pool_s8(const int8_t *x, int8_t *y, const memplan_qpooling *q);

/** The mean of each plane: y = saturate(round((sum - pixels * x_zero) * scale) + y_zero). */
typedef struct {
    int32_t planes;
    int32_t pixels;
    int32_t x_zero;
    int32_t y_zero;
    float scale;
} memplan_qmean;

void memplan_qmean_u8(const uint8_t *x, uint8_t *y, const memplan_qmean *s);
void memplan_qmean_s8(const int8_t *x, int8_t *y, const memplan_qmean *s);

/** y = saturate(round(softmax(x_scale * x) / y_scale) + y_zero) along the axis; in place over x. */
void memplan_qsoftmax_u8(const uint8_t *x, uint8_t *y, const memplan_axis *axis, float x_scale, float y_scale,
                         int32_t y_zero);
void memplan_qsoftmax_s8(const int8_t *x, int8_t *y, const memplan_axis *axis, float x_scale, float y_scale,
                         int32_t y_zero);

/** The same for its logarithm; not in place. */
void memplan_qlog_softmax_u8(const uint8_t *x, uint8_t *y, const memplan_axis *axis, float x_scale, float y_scale,
                             int32_t y_zero);
void memplan_qlog_softmax_s8(const int8_t *x, int8_t *y, const memplan_axis *axis, float x_scale, float y_scale,
                             int32_t y_zero);

/* ---- Quantisation ---- */

/** Scales and zero points along an axis; its size is 1 for one pair. The zero points may be null: all 0. */
void memplan_quantize_u8(const float *x, const float *scale, const uint8_t *zero, uint8_t *y, const memplan_axis *axis);
void memplan_quantize_s8(const float *x, const float *scale, const int8_t *zero, int8_t *y, const memplan_axis *axis);
void memplan_quantize_u16(const float *x, const float *scale, const uint16_t *zero, uint16_t *y,
                          const memplan_axis *axis);
void memplan_quantize_s16(const float *x, const float *scale, const int16_t *zero, int16_t *y,
                          const memplan_axis *axis);
void memplan_dequantize_u8(const uint8_t *x, const float *scale, const uint8_t *zero, float *y,
                           const memplan_axis *axis);
void memplan_dequantize_s8(const int8_t *x, const float *scale, const int8_t *zero, float *y,
                           const memplan_axis *axis);
void memplan_dequantize_u16(const uint16_t *x, const float *scale, const uint16_t *zero, float *y,
                            const memplan_axis *axis);
void memplan_dequantize_s16(const int16_t *x, const float *scale, const int16_t *zero, float *y,
                            const memplan_axis *axis);
void memplan_dequantize_i32(const int32_t *x, const float *scale, const int32_t *zero, float *y,
                            const memplan_axis *axis);

/** The scale and zero point of the n numbers, 0 among them, and the numbers by them. */
void memplan_dynamic_quantize_u8(const float *x, uint8_t *y, float *scale, uint8_t *zero, size_t n);

/** `fixed` holds the zero point of y; in a sum also the share of the other two. */
typedef struct {
    memplan_grid grid;
    int32_t a_zero;
    int32_t b_zero;
    float a_scale;
    float b_scale;
    float fixed;
} memplan_qpair;

/** y = saturate(round(fixed + a * a_scale + b * b_scale)); in place over a or b. */
void memplan_qadd_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s);
void memplan_qadd_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s);
/** y = saturate(round((a - a_zero)(b - b_zero) * a_scale + fixed)); in place over a or b. */
void memplan_qmul_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s);
void memplan_qmul_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s);
/** y = saturate(round(v) + fixed): v = (a - a_zero) * a_scale where that is not negative, else times (b - b_zero) *
 *  b_scale; in place over a. */
void memplan_qprelu_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_qpair *s);
void memplan_qprelu_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_qpair *s);
/** Any function of one byte; in place over x. The table is indexed by the byte's bits. */
void memplan_lookup_8(const uint8_t *x, uint8_t *y, size_t n, const uint8_t *table);
/** The same from one place of a grid (first strides) to another (second strides). */
void memplan_lookup_grid_8(const uint8_t *x, uint8_t *y, const memplan_grid *grid, const uint8_t *table);

/** a through its table where the condition holds, b through its own elsewhere; in place over a or b. Three strides. */
void memplan_lookup_where_8(const uint8_t *condition, const uint8_t *a, const uint8_t *b, uint8_t *y,
                            const memplan_grid *grid, const uint8_t *a_table, const uint8_t *b_table);

/* ---- Recurrent layers, float32 ---- */

typedef struct {
    int32_t steps;
    int32_t batch;
    int32_t input;
    int32_t hidden;
    int32_t directions; /* 2: forward, then backward */
    int32_t backward;   /* 1: a single direction that runs from the end */
    int32_t linear_before_reset; /* GRU */
} memplan_recurrent;

/**
 * Weights in the order of the ONNX operator. Biases, peepholes and the states at the start may be null (zeros), and so
 * may any result. scratch: 3 * hidden floats. Activations: sigmoid, tanh, tanh.
 */
void memplan_lstm_f32(const float *x, const float *w, const float *r, const float *bias, const float *peephole,
                      const float *h_start, const float *c_start, float *y, float *h_end, float *c_end,
                      float *scratch, const memplan_recurrent *s);
/** The same without a cell. Activations: sigmoid, tanh. */
void memplan_gru_f32(const float *x, const float *w, const float *r, const float *bias, const float *h_start,
                     float *y, float *h_end, float *scratch, const memplan_recurrent *s);

#ifdef __cplusplus
}
#endif

#endif
