/* What the kernels share among themselves; no part of their interface. */
#ifndef MEMPLAN_SUPPORT_H
#define MEMPLAN_SUPPORT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "memplan_kernels.h"

/* Before the definition of a kernel: lets the firmware define it instead. */
#ifndef MEMPLAN_KERNEL
#if defined(__IAR_SYSTEMS_ICC__)
#define MEMPLAN_KERNEL __weak
#elif defined(__GNUC__) /* GCC, Clang, armclang */
#define MEMPLAN_KERNEL __attribute__((weak))
#else
#define MEMPLAN_KERNEL
#endif
#endif

/* Kernels for several types are one inline function with a constant for the type. */
#if defined(__GNUC__)
#define MEMPLAN_INLINE static inline __attribute__((always_inline))
#else
#define MEMPLAN_INLINE static inline
#endif

/* Loops that are a function of their own, with the registers to themselves. */
#if defined(__GNUC__)
#define MEMPLAN_APART static __attribute__((noinline))
#else
#define MEMPLAN_APART static
#endif

/*
 * Before a loop in which no pass reads what another one writes: a compiler that knows it makes vectors of the passes
 * without comparing addresses first. It does not hear it where there are no vectors: Clang would warn.
 */
#if defined(__clang__) && (defined(__aarch64__) || defined(__x86_64__) || \
                           (defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE > 1))) /* 1: integers alone */
#define MEMPLAN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__clang__)
#define MEMPLAN_INDEPENDENT _Pragma("GCC ivdep")
#else
#define MEMPLAN_INDEPENDENT
#endif

/* The element type that a kernel's name ends with. A macro that makes a kernel of each type takes that ending. */
#define MEMPLAN_TYPE_f32 float
#define MEMPLAN_TYPE_u8 uint8_t
#define MEMPLAN_TYPE_s8 int8_t
#define MEMPLAN_TYPE_u16 uint16_t
#define MEMPLAN_TYPE_s16 int16_t
#define MEMPLAN_TYPE_i32 int32_t
#define MEMPLAN_TYPE_i64 int64_t
#define MEMPLAN_TYPE_bool uint8_t

/** A place in a grid: indexes of all axes but the last, and where each tensor's row begins. */
typedef struct {
    int32_t index[MEMPLAN_RANK];
    int32_t at[3];
} memplan_cursor;

static inline void memplan_start(memplan_cursor *cursor)
{
    (void)memset(cursor, 0, sizeof *cursor);
}

/** Moves on to the next row. Returns 0 after the last one. */
static inline int memplan_next_row(memplan_cursor *cursor, const memplan_grid *grid)
{
    for (int32_t axis = grid->rank - 2; axis >= 0; axis--) {
        const int32_t size = grid->shape[axis];

        cursor->index[axis]++;
        for (int k = 0; k < 3; k++) {
            cursor->at[k] += grid->stride[k][axis];
        }
        if (cursor->index[axis] < size) {
            return 1;
        }
        for (int k = 0; k < 3; k++) {
            cursor->at[k] -= size * grid->stride[k][axis];
        }
        cursor->index[axis] = 0;
    }
    return 0;
}

/** Elements in a row. */
static inline int32_t memplan_row(const memplan_grid *grid)
{
    return grid->shape[grid->rank - 1];
}

/** Elements from one of a row to the next, in tensor k. */
static inline int32_t memplan_step(const memplan_grid *grid, int k)
{
    return grid->stride[k][grid->rank - 1];
}

/** The first tap of a window that begins at `start` (perhaps before 0) that lies inside. */
static inline int32_t memplan_first_tap(int32_t start, int32_t dilation)
{
    return (start < 0) ? ((dilation - 1 - start) / dilation) : 0;
}

/** The tap after the last one that lies below `size`; at most `taps`. */
static inline int32_t memplan_end_tap(int32_t start, int32_t dilation, int32_t taps, int32_t size)
{
    const int32_t inside = (start < size) ? (((size - 1 - start) / dilation) + 1) : 0;

    return (inside < taps) ? inside : taps;
}

/** The position along one axis that reaches output `at` through `tap`, or -1, in a transposed convolution. */
static inline int32_t memplan_transposed_position(const memplan_window *s, int axis, int32_t at, int32_t tap)
{
    const int32_t reach = at + s->pad[axis] - (tap * s->dilation[axis]);
    const int32_t from = reach / s->stride[axis];

    return ((reach >= 0) && ((reach % s->stride[axis]) == 0) && (from < s->in[axis])) ? from : -1;
}

/* Rows of fewer outputs are summed up output by output. */
#define MEMPLAN_NARROW 4

/** The outputs of a row that column k of a window's taps reaches, and the column of x that the first of them reads. */
typedef struct {
    int32_t first;
    int32_t n;
    int32_t column;
} memplan_reach;

static inline memplan_reach memplan_reached(const memplan_window *s, int32_t k)
{
    const int32_t offset = (k * s->dilation[1]) - s->pad[1];
    const int32_t first = memplan_first_tap(offset, s->stride[1]);
    const int32_t end = memplan_end_tap(offset, s->stride[1], s->out[1], s->in[1]);
    const memplan_reach reach = {first, end - first, offset + (first * s->stride[1])};

    return reach;
}

/** The nearest integer, ties to even; |value| is below 2^31. */
static inline int32_t memplan_nearest(float value)
{
    int32_t whole = (int32_t)value;
    const float rest = value - (float)whole;
    const bool odd = (whole % 2) != 0;

    if ((rest > 0.5f) || ((rest >= 0.5f) && odd)) {
        whole++;
    } else if ((rest < -0.5f) || ((rest <= -0.5f) && odd)) {
        whole--;
    } else {
        /* already the nearest */
    }
    return whole;
}

/** round(value) + zero, kept within [least, most]. */
static inline int32_t memplan_saturate(float value, int32_t zero, int32_t least, int32_t most)
{
    const int32_t below = least - zero;
    const int32_t above = most - zero;
    const float low = (float)below;
    const float high = (float)above;
    const float inside = (value > low) ? ((value < high) ? value : high) : low;

    return memplan_nearest(inside) + zero;
}

/** 1 / (1 + exp(-v)) */
static inline float memplan_logistic(float v)
{
    /* The exponential of a negative number alone does not overflow. */
    const float e = expf(-fabsf(v));

    return (v < 0.0f) ? (e / (1.0f + e)) : (1.0f / (1.0f + e));
}

/** The sum of n products. Four partial sums round less than one, and need not wait for each other. */
static inline float memplan_dot(const float *a, int32_t a_step, const float *b, int32_t b_step, int32_t n)
{
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int32_t k = 0;

    for (; (k + 3) < n; k += 4) {
        sum[0] += a[k * a_step] * b[k * b_step];
        sum[1] += a[(k + 1) * a_step] * b[(k + 1) * b_step];
        sum[2] += a[(k + 2) * a_step] * b[(k + 2) * b_step];
        sum[3] += a[(k + 3) * a_step] * b[(k + 3) * b_step];
    }
    for (; k < n; k++) {
        sum[0] += a[k * a_step] * b[k * b_step];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** The signed number of these bits: what may wrap around is computed unsigned. */
static inline int32_t memplan_wrapped_32(uint32_t bits)
{
    return (int32_t)bits;
}

/** The sum of a product and its bias, which wraps around: converters write biases up to the limits of the type. */
static inline int32_t memplan_biased(int32_t sum, int32_t bias)
{
    return memplan_wrapped_32((uint32_t)sum + (uint32_t)bias);
}

/*
 * A kernel of two operands with broadcast: `expression` of p and q, elements of `type`, as an element of `result`. y runs
 * through in order; each element of a and of b is read before the one of y in that place is written.
 */
#define MEMPLAN_PAIRS(name, type, result, expression)                                                       \
    MEMPLAN_KERNEL void memplan_##name##_##type(const MEMPLAN_TYPE_##type *a, const MEMPLAN_TYPE_##type *b, \
                                                MEMPLAN_TYPE_##result *y, const memplan_grid *grid)         \
    {                                                                                                       \
        const int32_t row = memplan_row(grid);                                                              \
        const int32_t a_step = memplan_step(grid, 0);                                                       \
        const int32_t b_step = memplan_step(grid, 1);                                                       \
        memplan_cursor cursor;                                                                              \
                                                                                                            \
        memplan_start(&cursor);                                                                             \
        do {                                                                                                \
            const MEMPLAN_TYPE_##type *pa = &a[cursor.at[0]];                                               \
            const MEMPLAN_TYPE_##type *pb = &b[cursor.at[1]];                                               \
                                                                                                            \
            for (int32_t i = 0; i < row; i++) {                                                             \
                const MEMPLAN_TYPE_##type p = *pa;                                                          \
                const MEMPLAN_TYPE_##type q = *pb;                                                          \
                                                                                                            \
                *y = (expression);                                                                          \
                y++;                                                                                        \
                pa = &pa[a_step];                                                                           \
                pb = &pb[b_step];                                                                           \
            }                                                                                               \
        } while (memplan_next_row(&cursor, grid) != 0);                                                     \
    }

/* Bytes that stand for signed or unsigned numbers. */
#define MEMPLAN_UNSIGNED false
#define MEMPLAN_SIGNED true

MEMPLAN_INLINE int32_t memplan_load_8(const void *data, int32_t index, bool is_signed)
{
    return is_signed ? (int32_t)((const int8_t *)data)[index] : (int32_t)((const uint8_t *)data)[index];
}

/** How far it is from `zero`. */
MEMPLAN_INLINE float memplan_distance_8(const void *data, int32_t index, int32_t zero, bool is_signed)
{
    const int32_t distance = memplan_load_8(data, index, is_signed) - zero;

    return (float)distance;
}

/** Stores what saturates to the type. */
MEMPLAN_INLINE void memplan_store_8(void *data, int32_t index, float value, int32_t zero, bool is_signed)
{
    if (is_signed) {
        ((int8_t *)data)[index] = (int8_t)memplan_saturate(value, zero, INT8_MIN, INT8_MAX);
    } else {
        ((uint8_t *)data)[index] = (uint8_t)memplan_saturate(value, zero, 0, UINT8_MAX);
    }
}

#endif
