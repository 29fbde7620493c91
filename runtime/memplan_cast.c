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

#define MEMPLAN_CAST(from, T, to, U, expression)                                             \
    MEMPLAN_KERNEL void memplan_cast_##from##_##to(const T *x, U *y, size_t n)               \
    {                                                                                        \
        for (size_t i = 0u; i < n; i++) {                                                    \
            const T v = x[i];                                                                \
                                                                                             \
            y[i] = (expression);                                                             \
        }                                                                                    \
    }

#define MEMPLAN_CAST_INTEGER(from, T)                                  \
    MEMPLAN_CAST(from, T, bool, uint8_t, (uint8_t)((v != 0) ? 1 : 0))  \
    MEMPLAN_CAST(from, T, u8, uint8_t, (uint8_t)v)                     \
    MEMPLAN_CAST(from, T, s8, int8_t, (int8_t)v)                       \
    MEMPLAN_CAST(from, T, u16, uint16_t, (uint16_t)v)                  \
    MEMPLAN_CAST(from, T, s16, int16_t, (int16_t)v)                    \
    MEMPLAN_CAST(from, T, i32, int32_t, (int32_t)v)                    \
    MEMPLAN_CAST(from, T, i64, int64_t, (int64_t)v)                    \
    MEMPLAN_CAST(from, T, f32, float, (float)v)

MEMPLAN_CAST_INTEGER(u8, uint8_t)
MEMPLAN_CAST_INTEGER(s8, int8_t)
MEMPLAN_CAST_INTEGER(u16, uint16_t)
MEMPLAN_CAST_INTEGER(s16, int16_t)
MEMPLAN_CAST_INTEGER(i32, int32_t)
MEMPLAN_CAST_INTEGER(i64, int64_t)

MEMPLAN_CAST(f32, float, bool, uint8_t, (uint8_t)(((fabsf(v) > 0.0f) || (isnan(v) != 0)) ? 1 : 0))
MEMPLAN_CAST(f32, float, u8, uint8_t, (uint8_t)cast_whole(v, 0, UINT8_MAX))
MEMPLAN_CAST(f32, float, s8, int8_t, (int8_t)cast_whole(v, INT8_MIN, INT8_MAX))
MEMPLAN_CAST(f32, float, u16, uint16_t, (uint16_t)cast_whole(v, 0, UINT16_MAX))
MEMPLAN_CAST(f32, float, s16, int16_t, (int16_t)cast_whole(v, INT16_MIN, INT16_MAX))
MEMPLAN_CAST(f32, float, i32, int32_t, (int32_t)cast_whole(v, INT32_MIN, INT32_MAX))
MEMPLAN_CAST(f32, float, i64, int64_t, cast_whole(v, INT64_MIN, INT64_MAX))
