/* From float32 to integers and back. */
#include "memplan_support.h"

#define MEMPLAN_QUANTIZE(type, least, most)                                                                          \
    MEMPLAN_KERNEL void memplan_quantize_##type(const float *x, const float *scale, const MEMPLAN_TYPE_##type *zero, \
                                                MEMPLAN_TYPE_##type *y, const memplan_axis *axis)                    \
    {                                                                                                                \
        for (int32_t o = 0; o < axis->outer; o++) {                                                                  \
            for (int32_t c = 0; c < axis->size; c++) {                                                               \
                const int32_t shift = (zero == NULL) ? 0 : (int32_t)zero[c];                                         \
                                                                                                                     \
                for (int32_t i = 0; i < axis->inner; i++) {                                                          \
                    *y = (MEMPLAN_TYPE_##type)memplan_saturate(*x / scale[c], shift, (least), (most));               \
                    x++;                                                                                             \
                    y++;                                                                                             \
                }                                                                                                    \
            }                                                                                                        \
        }                                                                                                            \
    }

#define MEMPLAN_DEQUANTIZE(type)                                                                                       \
    MEMPLAN_KERNEL void memplan_dequantize_##type(const MEMPLAN_TYPE_##type *x, const float *scale,                    \
                                                  const MEMPLAN_TYPE_##type *zero, float *y, const memplan_axis *axis) \
    {                                                                                                                  \
        for (int32_t o = 0; o < axis->outer; o++) {                                                                    \
            for (int32_t c = 0; c < axis->size; c++) {                                                                 \
                const int64_t shift = (zero == NULL) ? 0 : (int64_t)zero[c];                                           \
                                                                                                                       \
                for (int32_t i = 0; i < axis->inner; i++) {                                                            \
                    const int64_t away = (int64_t)*x - shift;                                                          \
                                                                                                                       \
                    *y = (float)away * scale[c];                                                                       \
                    x++;                                                                                               \
                    y++;                                                                                               \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

MEMPLAN_QUANTIZE(u8, 0, UINT8_MAX)
MEMPLAN_QUANTIZE(s8, INT8_MIN, INT8_MAX)
MEMPLAN_QUANTIZE(u16, 0, UINT16_MAX)
MEMPLAN_QUANTIZE(s16, INT16_MIN, INT16_MAX)

MEMPLAN_DEQUANTIZE(u8)
MEMPLAN_DEQUANTIZE(s8)
MEMPLAN_DEQUANTIZE(u16)
MEMPLAN_DEQUANTIZE(s16)
MEMPLAN_DEQUANTIZE(i32)

MEMPLAN_KERNEL void memplan_dynamic_quantize_u8(const float *x, uint8_t *y, float *scale, uint8_t *zero, size_t n)
{
    float least = 0.0f;
    float most = 0.0f;
    float step;

    for (size_t i = 0u; i < n; i++) {
        least = (x[i] < least) ? x[i] : least;
        most = (x[i] > most) ? x[i] : most;
    }
    step = (most > least) ? ((most - least) / 255.0f) : 1.0f;
    *scale = step;
    *zero = (uint8_t)memplan_saturate(0.0f - (least / step), 0, 0, UINT8_MAX);
    for (size_t i = 0u; i < n; i++) {
        y[i] = (uint8_t)memplan_saturate(x[i] / step, *zero, 0, UINT8_MAX);
    }
}
