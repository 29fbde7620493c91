/* Softmax along one axis, of floats and of quantised bytes. */
#include "memplan_support.h"

static float softmax_largest(const float *line, int32_t size, int32_t step)
{
    float most = line[0];

    for (int32_t k = 1; k < size; k++) {
        const float v = line[k * step];

        most = (v > most) ? v : most;
    }
    return most;
}

MEMPLAN_KERNEL void memplan_softmax_f32(const float *x, float *y, const memplan_axis *axis)
{
    const int32_t step = axis->inner;

    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t i = 0; i < axis->inner; i++) {
            const int32_t start = (o * axis->size * axis->inner) + i;
            const float most = softmax_largest(&x[start], axis->size, step);
            float sum = 0.0f;

            for (int32_t k = 0; k < axis->size; k++) {
                const float e = expf(x[start + (k * step)] - most);

                y[start + (k * step)] = e;
                sum += e;
            }
            for (int32_t k = 0; k < axis->size; k++) {
                y[start + (k * step)] /= sum;
            }
        }
    }
}

MEMPLAN_KERNEL void memplan_log_softmax_f32(const float *x, float *y, const memplan_axis *axis)
{
    const int32_t step = axis->inner;

    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t i = 0; i < axis->inner; i++) {
            const int32_t start = (o * axis->size * axis->inner) + i;
            const float most = softmax_largest(&x[start], axis->size, step);
            float sum = 0.0f;

            for (int32_t k = 0; k < axis->size; k++) {
                sum += expf(x[start + (k * step)] - most);
            }
            sum = logf(sum);
            for (int32_t k = 0; k < axis->size; k++) {
                y[start + (k * step)] = x[start + (k * step)] - most - sum;
            }
        }
    }
}

/* No exponential is kept, so that nothing but the bytes is needed; a line is summed before its first byte is written. */
MEMPLAN_INLINE void qsoftmax(const void *x, void *y, const memplan_axis *axis, float x_scale, float y_scale,
                             int32_t y_zero, bool is_signed, bool logarithm)
{
    const int32_t step = axis->inner;

    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t i = 0; i < axis->inner; i++) {
            const int32_t start = (o * axis->size * axis->inner) + i;
            int32_t most = memplan_load_8(x, start, is_signed);
            float sum = 0.0f;

            for (int32_t k = 1; k < axis->size; k++) {
                const int32_t v = memplan_load_8(x, start + (k * step), is_signed);

                most = (v > most) ? v : most;
            }
            for (int32_t k = 0; k < axis->size; k++) {
                sum += expf(x_scale * memplan_distance_8(x, start + (k * step), most, is_signed));
            }
            if (logarithm) {
                sum = logf(sum);
            }
            for (int32_t k = 0; k < axis->size; k++) {
                const int32_t at = start + (k * step);
                const float v = x_scale * memplan_distance_8(x, at, most, is_signed);

                memplan_store_8(y, at, (logarithm ? (v - sum) : (expf(v) / sum)) / y_scale, y_zero, is_signed);
            }
        }
    }
}

MEMPLAN_KERNEL void memplan_qsoftmax_u8(const uint8_t *x, uint8_t *y, const memplan_axis *axis, float x_scale,
                                        float y_scale, int32_t y_zero)
{
    qsoftmax(x, y, axis, x_scale, y_scale, y_zero, MEMPLAN_UNSIGNED, false);
}

MEMPLAN_KERNEL void memplan_qsoftmax_s8(const int8_t *x, int8_t *y, const memplan_axis *axis, float x_scale,
                                        float y_scale, int32_t y_zero)
{
    qsoftmax(x, y, axis, x_scale, y_scale, y_zero, MEMPLAN_SIGNED, false);
}

MEMPLAN_KERNEL void memplan_qlog_softmax_u8(const uint8_t *x, uint8_t *y, const memplan_axis *axis, float x_scale,
                                            float y_scale, int32_t y_zero)
{
    qsoftmax(x, y, axis, x_scale, y_scale, y_zero, MEMPLAN_UNSIGNED, true);
}

MEMPLAN_KERNEL void memplan_qlog_softmax_s8(const int8_t *x, int8_t *y, const memplan_axis *axis, float x_scale,
                                            float y_scale, int32_t y_zero)
{
    qsoftmax(x, y, axis, x_scale, y_scale, y_zero, MEMPLAN_SIGNED, true);
}
