/* Normalisation. */
#include "memplan_support.h"

MEMPLAN_KERNEL void memplan_batch_norm_f32(const float *x, const float *scale, const float *bias, const float *mean,
                                           const float *variance, float *y, const memplan_axis *axis, float epsilon)
{
    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t c = 0; c < axis->size; c++) {
            const float factor = scale[c] / sqrtf(variance[c] + epsilon);

            for (int32_t i = 0; i < axis->inner; i++) {
                *y = ((*x - mean[c]) * factor) + bias[c];
                x++;
                y++;
            }
        }
    }
}

/* Mean and 1 / standard deviation of `count` numbers. */
static void norm_moments(const float *x, int32_t count, float epsilon, float *mean, float *inverse)
{
    float sum = 0.0f;
    float squares = 0.0f;

    for (int32_t i = 0; i < count; i++) {
        sum += x[i];
    }
    *mean = sum / (float)count;
    for (int32_t i = 0; i < count; i++) {
        const float away = x[i] - *mean;

        squares += away * away;
    }
    *inverse = 1.0f / sqrtf((squares / (float)count) + epsilon);
}

MEMPLAN_KERNEL void memplan_instance_norm_f32(const float *x, const float *scale, const float *bias, float *y,
                                              const memplan_axis *axis, float epsilon)
{
    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t c = 0; c < axis->size; c++) {
            float mean;
            float inverse;

            norm_moments(x, axis->inner, epsilon, &mean, &inverse);
            for (int32_t i = 0; i < axis->inner; i++) {
                *y = ((*x - mean) * inverse * scale[c]) + bias[c];
                x++;
                y++;
            }
        }
    }
}

MEMPLAN_KERNEL void memplan_layer_norm_f32(const float *x, const float *scale, const float *bias, float *y,
                                           const memplan_axis *axis, float epsilon)
{
    for (int32_t o = 0; o < axis->outer; o++) {
        float mean;
        float inverse;

        norm_moments(x, axis->size, epsilon, &mean, &inverse);
        for (int32_t i = 0; i < axis->size; i++) {
            *y = ((*x - mean) * inverse * scale[i]) + ((bias == NULL) ? 0.0f : bias[i]);
            x++;
            y++;
        }
    }
}

MEMPLAN_KERNEL void memplan_lrn_f32(const float *x, float *y, const memplan_lrn *s)
{
    const memplan_axis *const axis = &s->axis;
    const int32_t before = (s->size - 1) / 2;
    const int32_t after = s->size - 1 - before;

    for (int32_t o = 0; o < axis->outer; o++) {
        const int32_t image = o * axis->size * axis->inner;

        for (int32_t c = 0; c < axis->size; c++) {
            const int32_t first = (c > before) ? (c - before) : 0;
            const int32_t last = ((c + after) < axis->size) ? (c + after) : (axis->size - 1);

            for (int32_t i = 0; i < axis->inner; i++) {
                float squares = 0.0f;

                for (int32_t k = first; k <= last; k++) {
                    const float v = x[image + (k * axis->inner) + i];

                    squares += v * v;
                }
                *y = x[image + (c * axis->inner) + i] /
                     powf(s->bias + ((s->alpha / (float)s->size) * squares), s->beta);
                y++;
            }
        }
    }
}
