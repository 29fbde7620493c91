/*
 * Kernels that compute each element of the output from one element of every operand. See memplan_kernels.h.
 */
#ifndef MEMPLAN_ELEMENTS_H
#define MEMPLAN_ELEMENTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dimensions of a grid. memplan joins those of a model where their elements follow one another. */
#define MEMPLAN_RANK 6

/** Walks up to three tensors together in row-major order. A stride of 0 repeats an element. */
typedef struct {
    int32_t rank; /* at least 1 */
    int32_t shape[MEMPLAN_RANK];
    int32_t stride[3][MEMPLAN_RANK];
} memplan_grid;

/* ---- Element by element, float32, in place over x. n: elements ---- */

void memplan_relu_f32(const float *x, float *y, size_t n);
void memplan_leaky_relu_f32(const float *x, float *y, size_t n, float alpha);
void memplan_thresholded_relu_f32(const float *x, float *y, size_t n, float alpha);
void memplan_elu_f32(const float *x, float *y, size_t n, float alpha);
void memplan_selu_f32(const float *x, float *y, size_t n, float alpha, float gamma);
void memplan_celu_f32(const float *x, float *y, size_t n, float alpha);
void memplan_clip_f32(const float *x, float *y, size_t n, float least, float most);
void memplan_sigmoid_f32(const float *x, float *y, size_t n);
void memplan_hard_sigmoid_f32(const float *x, float *y, size_t n, float alpha, float beta);
void memplan_tanh_f32(const float *x, float *y, size_t n);
void memplan_softplus_f32(const float *x, float *y, size_t n);
void memplan_softsign_f32(const float *x, float *y, size_t n);
void memplan_swish_f32(const float *x, float *y, size_t n, float alpha);
void memplan_hard_swish_f32(const float *x, float *y, size_t n);
void memplan_mish_f32(const float *x, float *y, size_t n);
void memplan_gelu_f32(const float *x, float *y, size_t n);
/** GELU with its approximation by tanh. */
void memplan_gelu_tanh_f32(const float *x, float *y, size_t n);
void memplan_shrink_f32(const float *x, float *y, size_t n, float bias, float lambda);

void memplan_abs_f32(const float *x, float *y, size_t n);
void memplan_neg_f32(const float *x, float *y, size_t n);
void memplan_sign_f32(const float *x, float *y, size_t n);
void memplan_ceil_f32(const float *x, float *y, size_t n);
void memplan_floor_f32(const float *x, float *y, size_t n);
/** To the nearest integer, ties to even. */
void memplan_round_f32(const float *x, float *y, size_t n);
void memplan_sqrt_f32(const float *x, float *y, size_t n);
void memplan_exp_f32(const float *x, float *y, size_t n);
void memplan_log_f32(const float *x, float *y, size_t n);
void memplan_reciprocal_f32(const float *x, float *y, size_t n);
void memplan_erf_f32(const float *x, float *y, size_t n);
void memplan_sin_f32(const float *x, float *y, size_t n);
void memplan_cos_f32(const float *x, float *y, size_t n);
void memplan_tan_f32(const float *x, float *y, size_t n);
void memplan_asin_f32(const float *x, float *y, size_t n);
void memplan_acos_f32(const float *x, float *y, size_t n);
void memplan_atan_f32(const float *x, float *y, size_t n);
void memplan_sinh_f32(const float *x, float *y, size_t n);
void memplan_cosh_f32(const float *x, float *y, size_t n);
void memplan_asinh_f32(const float *x, float *y, size_t n);
void memplan_acosh_f32(const float *x, float *y, size_t n);
void memplan_atanh_f32(const float *x, float *y, size_t n);
/** y = factor * x + offset */
void memplan_scale_f32(const float *x, float *y, size_t n, float factor, float offset);

/* ---- Two operands with broadcast, in place over a or b. The grid's strides are those of a and b ---- */

void memplan_add_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_sub_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_mul_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_div_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_pow_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_max_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
void memplan_min_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
/** The sign of a, as C's fmod. */
void memplan_fmod_f32(const float *a, const float *b, float *y, const memplan_grid *grid);
/** a where it is not negative, else a * b. */
void memplan_prelu_f32(const float *a, const float *b, float *y, const memplan_grid *grid);

void memplan_add_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
void memplan_sub_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
void memplan_mul_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
/** Towards zero; a division by zero gives 0. */
void memplan_div_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
/** The sign of b. */
void memplan_mod_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
void memplan_max_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
void memplan_min_i32(const int32_t *a, const int32_t *b, int32_t *y, const memplan_grid *grid);
void memplan_add_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_sub_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_mul_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_div_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_mod_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_max_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_min_i64(const int64_t *a, const int64_t *b, int64_t *y, const memplan_grid *grid);
void memplan_max_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_min_u8(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_max_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_grid *grid);
void memplan_min_s8(const int8_t *a, const int8_t *b, int8_t *y, const memplan_grid *grid);

/* ---- Comparison and logic. A bool is a byte of 0 or 1 ---- */

void memplan_equal_f32(const float *a, const float *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_f32(const float *a, const float *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_or_equal_f32(const float *a, const float *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_f32(const float *a, const float *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_or_equal_f32(const float *a, const float *b, uint8_t *y, const memplan_grid *grid);
void memplan_equal_i32(const int32_t *a, const int32_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_i32(const int32_t *a, const int32_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_or_equal_i32(const int32_t *a, const int32_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_i32(const int32_t *a, const int32_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_or_equal_i32(const int32_t *a, const int32_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_equal_i64(const int64_t *a, const int64_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_i64(const int64_t *a, const int64_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_less_or_equal_i64(const int64_t *a, const int64_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_i64(const int64_t *a, const int64_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_greater_or_equal_i64(const int64_t *a, const int64_t *b, uint8_t *y, const memplan_grid *grid);
/* In place over a or b, the last over x. */
void memplan_equal_bool(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_and_bool(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_or_bool(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_xor_bool(const uint8_t *a, const uint8_t *b, uint8_t *y, const memplan_grid *grid);
void memplan_not_bool(const uint8_t *x, uint8_t *y, size_t n);
/** a where the condition holds, else b; in place over a or b. Strides: condition, a, b. width: bytes of an element. */
void memplan_where(const uint8_t *condition, const void *a, const void *b, void *y, size_t width,
                   const memplan_grid *grid);

/* ---- Element types. Integers wrap; floats are cut off towards zero and saturate. A bool is a u8 to read ---- */

void memplan_cast_u8_bool(const uint8_t *x, uint8_t *y, size_t n);
void memplan_cast_u8_u8(const uint8_t *x, uint8_t *y, size_t n);
void memplan_cast_u8_s8(const uint8_t *x, int8_t *y, size_t n);
void memplan_cast_u8_u16(const uint8_t *x, uint16_t *y, size_t n);
void memplan_cast_u8_s16(const uint8_t *x, int16_t *y, size_t n);
void memplan_cast_u8_i32(const uint8_t *x, int32_t *y, size_t n);
void memplan_cast_u8_i64(const uint8_t *x, int64_t *y, size_t n);
void memplan_cast_u8_f32(const uint8_t *x, float *y, size_t n);
void memplan_cast_s8_bool(const int8_t *x, uint8_t *y, size_t n);
void memplan_cast_s8_u8(const int8_t *x, uint8_t *y, size_t n);
void memplan_cast_s8_s8(const int8_t *x, int8_t *y, size_t n);
void memplan_cast_s8_u16(const int8_t *x, uint16_t *y, size_t n);
void memplan_cast_s8_s16(const int8_t *x, int16_t *y, size_t n);
void memplan_cast_s8_i32(const int8_t *x, int32_t *y, size_t n);
void memplan_cast_s8_i64(const int8_t *x, int64_t *y, size_t n);
void memplan_cast_s8_f32(const int8_t *x, float *y, size_t n);
void memplan_cast_u16_bool(const uint16_t *x, uint8_t *y, size_t n);
void memplan_cast_u16_u8(const uint16_t *x, uint8_t *y, size_t n);
void memplan_cast_u16_s8(const uint16_t *x, int8_t *y, size_t n);
void memplan_cast_u16_u16(const uint16_t *x, uint16_t *y, size_t n);
void memplan_cast_u16_s16(const uint16_t *x, int16_t *y, size_t n);
void memplan_cast_u16_i32(const uint16_t *x, int32_t *y, size_t n);
void memplan_cast_u16_i64(const uint16_t *x, int64_t *y, size_t n);
void memplan_cast_u16_f32(const uint16_t *x, float *y, size_t n);
void memplan_cast_s16_bool(const int16_t *x, uint8_t *y, size_t n);
void memplan_cast_s16_u8(const int16_t *x, uint8_t *y, size_t n);
void memplan_cast_s16_s8(const int16_t *x, int8_t *y, size_t n);
void memplan_cast_s16_u16(const int16_t *x, uint16_t *y, size_t n);
void memplan_cast_s16_s16(const int16_t *x, int16_t *y, size_t n);
void memplan_cast_s16_i32(const int16_t *x, int32_t *y, size_t n);
void memplan_cast_s16_i64(const int16_t *x, int64_t *y, size_t n);
void memplan_cast_s16_f32(const int16_t *x, float *y, size_t n);
void memplan_cast_i32_bool(const int32_t *x, uint8_t *y, size_t n);
void memplan_cast_i32_u8(const int32_t *x, uint8_t *y, size_t n);
void memplan_cast_i32_s8(const int32_t *x, int8_t *y, size_t n);
void memplan_cast_i32_u16(const int32_t *x, uint16_t *y, size_t n);
void memplan_cast_i32_s16(const int32_t *x, int16_t *y, size_t n);
void memplan_cast_i32_i32(const int32_t *x, int32_t *y, size_t n);
void memplan_cast_i32_i64(const int32_t *x, int64_t *y, size_t n);
void memplan_cast_i32_f32(const int32_t *x, float *y, size_t n);
void memplan_cast_i64_bool(const int64_t *x, uint8_t *y, size_t n);
void memplan_cast_i64_u8(const int64_t *x, uint8_t *y, size_t n);
void memplan_cast_i64_s8(const int64_t *x, int8_t *y, size_t n);
void memplan_cast_i64_u16(const int64_t *x, uint16_t *y, size_t n);
void memplan_cast_i64_s16(const int64_t *x, int16_t *y, size_t n);
void memplan_cast_i64_i32(const int64_t *x, int32_t *y, size_t n);
void memplan_cast_i64_i64(const int64_t *x, int64_t *y, size_t n);
void memplan_cast_i64_f32(const int64_t *x, float *y, size_t n);
void memplan_cast_f32_bool(const float *x, uint8_t *y, size_t n);
void memplan_cast_f32_u8(const float *x, uint8_t *y, size_t n);
void memplan_cast_f32_s8(const float *x, int8_t *y, size_t n);
void memplan_cast_f32_u16(const float *x, uint16_t *y, size_t n);
void memplan_cast_f32_s16(const float *x, int16_t *y, size_t n);
void memplan_cast_f32_i32(const float *x, int32_t *y, size_t n);
void memplan_cast_f32_i64(const float *x, int64_t *y, size_t n);

#ifdef __cplusplus
}
#endif

#endif
