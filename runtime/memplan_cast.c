/* From one element type to another. */
#include "memplan_support.h"

/* Towards zero and within [least, most]; what is no number becomes 0. */
static inline int64_t cast_whole(float v, int64_t least, int64_t most)
{
    int64_t result = 0;

    if (v >= (float)most) {
        result = most;
    } else if (v <= (float)least) {
        result = least;
    } else if (isnan(v) == 0) {
        result = (int64_t)v;
    } else {
        /* no number */
    }
    return result;
}

#define MEMPLAN_CAST(from, to, expression)                                                                       \
    MEMPLAN_KERNEL void memplan_cast_##from##_##to(const MEMPLAN_TYPE_##from *x, MEMPLAN_TYPE_##to *y, size_t n) \
    {                                                                                                            \
        for (size_t i = 0u; i < n; i++) {                                                                        \
            const MEMPLAN_TYPE_##from v = x[i];                                                                  \
                                                                                                                 \
            y[i] = (expression);                                                                                 \
        }                                                                                                        \
    }

#define MEMPLAN_CAST_INTEGER(from, zero)              \
    MEMPLAN_CAST(from, bool, (v != (zero)) ? 1u : 0u) \
    MEMPLAN_CAST(from, u8, (uint8_t)v)                \
    MEMPLAN_CAST(from, s8, (int8_t)v)                 \
    MEMPLAN_CAST(from, u16, (uint16_t)v)              \
    MEMPLAN_CAST(from, s16, (int16_t)v)               \
    MEMPLAN_CAST(from, i32, (int32_t)v)               \
    MEMPLAN_CAST(from, i64, (int64_t)v)               \
    MEMPLAN_CAST(from, f32, (float)v)

MEMPLAN_CAST_INTEGER(u8, 0u)
MEMPLAN_CAST_INTEGER(s8, 0)
MEMPLAN_CAST_INTEGER(u16, 0u)
MEMPLAN_CAST_INTEGER(s16, 0)
MEMPLAN_CAST_INTEGER(i32, 0)
MEMPLAN_CAST_INTEGER(i64, 0)

MEMPLAN_CAST(f32, bool, ((fabsf(v) > 0.0f) || (isnan(v) != 0)) ? 1u : 0u)
MEMPLAN_CAST(f32, u8, (uint8_t)cast_whole(v, 0, UINT8_MAX))
MEMPLAN_CAST(f32, s8, (int8_t)cast_whole(v, INT8_MIN, INT8_MAX))
MEMPLAN_CAST(f32, u16, (uint16_t)cast_whole(v, 0, UINT16_MAX))
MEMPLAN_CAST(f32, s16, (int16_t)cast_whole(v, INT16_MIN, INT16_MAX))
MEMPLAN_CAST(f32, i32, (int32_t)cast_whole(v, INT32_MIN, INT32_MAX))
/* The least number is INT64_MIN, which cppcheck takes for an unsigned one. */
MEMPLAN_CAST(f32, i64, cast_whole(v, (-INT64_MAX) - 1, INT64_MAX))
