/*
 * Steps that CMSIS-NN carries out: each function fills in the structures of the library and calls one of its kernels.
 *
 * Tensors are int8 with the channels last in memory (NHWC). `scratch` is the working memory that the plan holds for the
 * step; a function returns 0, or 1 where the library asks for more or refuses the call.
 */
#ifndef MEMPLAN_CMSIS_NN_H
#define MEMPLAN_CMSIS_NN_H

#include "memplan_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** y = clamp(((x - x_zero) w + bias) * multiplier * 2^(shift - 31) + y_zero), a multiplier for each output channel. */
typedef struct {
    const int32_t *multiplier;
    const int32_t *shift;
    int32_t x_zero;
    int32_t y_zero;
    int32_t least;
    int32_t most;
} memplan_arm_product;

/** weight: [out channels][kernel height][kernel width][in channels of a group]. */
int memplan_arm_conv(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y, void *scratch,
                     size_t bytes, const memplan_window *s, const memplan_arm_product *q);
/** weight: [kernel height][kernel width][out channels]; s->groups channels go in. */
int memplan_arm_depthwise(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y, void *scratch,
                          size_t bytes, const memplan_window *s, const memplan_arm_product *q);

/** y[rows][columns] of x[rows][depth] and weight[columns][depth]. */
typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t columns;
    int32_t each; /* 1: a multiplier for each column */
} memplan_arm_matrix;

int memplan_arm_dense(const int8_t *x, const int8_t *weight, const int32_t *bias, int8_t *y, void *scratch,
                      size_t bytes, const memplan_arm_matrix *s, const memplan_arm_product *q);

/** s->in_channels channels in one group. */
int memplan_arm_average_pool(const int8_t *x, int8_t *y, void *scratch, size_t bytes, const memplan_window *s,
                             int32_t least, int32_t most);
int memplan_arm_max_pool(const int8_t *x, int8_t *y, const memplan_window *s, int32_t least, int32_t most);

/** Of the distance to the largest element of a row; below `least_distance` an element counts nothing. */
typedef struct {
    int32_t rows;
    int32_t size;
    int32_t multiplier;
    int32_t shift;
    int32_t least_distance;
} memplan_arm_rows;

/** In place over x. */
int memplan_arm_softmax(const int8_t *x, int8_t *y, const memplan_arm_rows *s);

/** multiplier and shift: of a, of b (sums alone), of y. */
typedef struct {
    int32_t a_zero;
    int32_t b_zero;
    int32_t y_zero;
    int32_t multiplier[3];
    int32_t shift[3];
    int32_t least;
    int32_t most;
} memplan_arm_pair;

/** In place over a or b. */
int memplan_arm_add(const int8_t *a, const int8_t *b, int8_t *y, size_t n, const memplan_arm_pair *s);
int memplan_arm_mul(const int8_t *a, const int8_t *b, int8_t *y, size_t n, const memplan_arm_pair *s);

#ifdef __cplusplus
}
#endif

#endif
