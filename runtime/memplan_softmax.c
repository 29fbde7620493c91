/* Softmax along one axis. */
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
