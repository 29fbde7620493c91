/* Activations, float32, element by element. */
#include "memplan_support.h"

/* Each kernel reads an element before it writes the one in its place. */
#define MEMPLAN_EACH(expression)         \
    for (size_t i = 0u; i < n; i++) {    \
        const float v = x[i];            \
                                         \
        y[i] = (expression);             \
    }

static inline float clamped(float v, float least, float most)
{
    const float raised = (v < least) ? least : v;

    return (raised > most) ? most : raised;
}

static inline float softplus(float v)
{
    return ((v > 0.0f) ? v : 0.0f) + log1pf(expf(-fabsf(v)));
}

MEMPLAN_KERNEL void memplan_relu_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH((v < 0.0f) ? 0.0f : v)
}

MEMPLAN_KERNEL void memplan_leaky_relu_f32(const float *x, float *y, size_t n, float alpha)
{
    MEMPLAN_EACH((v < 0.0f) ? (alpha * v) : v)
}

MEMPLAN_KERNEL void memplan_thresholded_relu_f32(const float *x, float *y, size_t n, float alpha)
{
    MEMPLAN_EACH((v > alpha) ? v : 0.0f)
}

MEMPLAN_KERNEL void memplan_elu_f32(const float *x, float *y, size_t n, float alpha)
{
    MEMPLAN_EACH((v < 0.0f) ? (alpha * expm1f(v)) : v)
}

MEMPLAN_KERNEL void memplan_selu_f32(const float *x, float *y, size_t n, float alpha, float gamma)
{
    MEMPLAN_EACH(gamma * ((v > 0.0f) ? v : (alpha * expm1f(v))))
}

MEMPLAN_KERNEL void memplan_celu_f32(const float *x, float *y, size_t n, float alpha)
{
    MEMPLAN_EACH((v < 0.0f) ? (alpha * expm1f(v / alpha)) : v)
}

MEMPLAN_KERNEL void memplan_clip_f32(const float *x, float *y, size_t n, float least, float most)
{
    MEMPLAN_EACH(clamped(v, least, most))
}

MEMPLAN_KERNEL void memplan_sigmoid_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(memplan_logistic(v))
}

MEMPLAN_KERNEL void memplan_hard_sigmoid_f32(const float *x, float *y, size_t n, float alpha, float beta)
{
    MEMPLAN_EACH(clamped((alpha * v) + beta, 0.0f, 1.0f))
}

MEMPLAN_KERNEL void memplan_tanh_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(tanhf(v))
}

MEMPLAN_KERNEL void memplan_softplus_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(softplus(v))
}

MEMPLAN_KERNEL void memplan_softsign_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(v / (1.0f + fabsf(v)))
}

MEMPLAN_KERNEL void memplan_swish_f32(const float *x, float *y, size_t n, float alpha)
{
    MEMPLAN_EACH(v * memplan_logistic(alpha * v))
}

MEMPLAN_KERNEL void memplan_hard_swish_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(v * clamped((v / 6.0f) + 0.5f, 0.0f, 1.0f))
}

MEMPLAN_KERNEL void memplan_mish_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(v * tanhf(softplus(v)))
}

MEMPLAN_KERNEL void memplan_gelu_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(0.5f * v * (1.0f + erff(v * 0.707106781f)))
}

MEMPLAN_KERNEL void memplan_gelu_tanh_f32(const float *x, float *y, size_t n)
{
    MEMPLAN_EACH(0.5f * v * (1.0f + tanhf(0.797884561f * (v + (0.044715f * v * v * v)))))
}

MEMPLAN_KERNEL void memplan_shrink_f32(const float *x, float *y, size_t n, float bias, float lambda)
{
    MEMPLAN_EACH((v < -lambda) ? (v + bias) : ((v > lambda) ? (v - bias) : 0.0f))
}
