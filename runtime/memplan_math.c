/* Functions of one number, float32, element by element. */
#include "memplan_support.h"

/* Each kernel reads an element before it writes the one in its place. */
#define MEMPLAN_UNARY(name, expression)                                     \
    MEMPLAN_KERNEL void memplan_##name##_f32(const float *x, float *y, size_t n) \
    {                                                                       \
        for (size_t i = 0u; i < n; i++) {                                   \
            const float v = x[i];                                           \
                                                                            \
            y[i] = (expression);                                            \
        }                                                                   \
    }

/* rintf would depend on the rounding mode. Beyond 2^23 every float is an integer. */
static inline float math_nearest(float v)
{
    const int32_t whole = (fabsf(v) < 8388608.0f) ? memplan_nearest(v) : 0;

    return (fabsf(v) < 8388608.0f) ? copysignf((float)whole, v) : v;
}

MEMPLAN_UNARY(abs, fabsf(v))
MEMPLAN_UNARY(neg, -v)
MEMPLAN_UNARY(sign, (v > 0.0f) ? 1.0f : ((v < 0.0f) ? -1.0f : v))
MEMPLAN_UNARY(ceil, ceilf(v))
MEMPLAN_UNARY(floor, floorf(v))
MEMPLAN_UNARY(round, math_nearest(v))
MEMPLAN_UNARY(sqrt, sqrtf(v))
MEMPLAN_UNARY(exp, expf(v))
MEMPLAN_UNARY(log, logf(v))
MEMPLAN_UNARY(reciprocal, 1.0f / v)
MEMPLAN_UNARY(erf, erff(v))
MEMPLAN_UNARY(sin, sinf(v))
MEMPLAN_UNARY(cos, cosf(v))
MEMPLAN_UNARY(tan, tanf(v))
MEMPLAN_UNARY(asin, asinf(v))
MEMPLAN_UNARY(acos, acosf(v))
MEMPLAN_UNARY(atan, atanf(v))
MEMPLAN_UNARY(sinh, sinhf(v))
MEMPLAN_UNARY(cosh, coshf(v))
MEMPLAN_UNARY(asinh, asinhf(v))
MEMPLAN_UNARY(acosh, acoshf(v))
MEMPLAN_UNARY(atanh, atanhf(v))

MEMPLAN_KERNEL void memplan_scale_f32(const float *x, float *y, size_t n, float factor, float offset)
{
    for (size_t i = 0u; i < n; i++) {
        y[i] = (factor * x[i]) + offset;
    }
}
