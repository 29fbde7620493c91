/* GRU, float32. Gates in the order update, reset, hidden (ONNX). */
#include "memplan_support.h"

/* The weights of one direction. */
typedef struct {
    const float *w;
    const float *r;
    const float *bias;
} gru_direction;

/* The input's part of one unit's gate, with its bias. */
static float gru_from_input(const gru_direction *d, const memplan_recurrent *s, const float *x, int32_t row)
{
    return memplan_dot(x, 1, &d->w[row * s->input], 1, s->input) + ((d->bias == NULL) ? 0.0f : d->bias[row]);
}

/* The state's part, with its bias. */
static float gru_from_state(const gru_direction *d, const memplan_recurrent *s, const float *h, int32_t row)
{
    const float bias = (d->bias == NULL) ? 0.0f : d->bias[(3 * s->hidden) + row];

    return memplan_dot(h, 1, &d->r[row * s->hidden], 1, s->hidden) + bias;
}

/* One step: reads x and h, writes the new h to `next`; `reset` is working memory. */
static void gru_step(const gru_direction *d, const memplan_recurrent *s, const float *x, const float *h, float *next,
                 float *reset)
{
    const int32_t units = s->hidden;

    for (int32_t j = 0; j < units; j++) {
        const float open = memplan_logistic(gru_from_input(d, s, x, units + j) + gru_from_state(d, s, h, units + j));

        reset[j] = (s->linear_before_reset != 0) ? open : (open * h[j]);
    }
    for (int32_t j = 0; j < units; j++) {
        const int32_t row = (2 * units) + j;
        const float update = memplan_logistic(gru_from_input(d, s, x, j) + gru_from_state(d, s, h, j));
        const float past =
            (s->linear_before_reset != 0) ? (reset[j] * gru_from_state(d, s, h, row)) : gru_from_state(d, s, reset, row);
        const float fresh = tanhf(gru_from_input(d, s, x, row) + past);

        next[j] = ((1.0f - update) * fresh) + (update * h[j]);
    }
}

MEMPLAN_KERNEL void memplan_gru_f32(const float *x, const float *w, const float *r, const float *bias, const float *h_start,
                                    float *y, float *h_end, float *scratch, const memplan_recurrent *s)
{
    const int32_t units = s->hidden;
    const size_t bytes = (size_t)units * sizeof(float);
    float *const h = scratch;
    float *const next = &scratch[units];
    float *const reset = &scratch[2 * units];

    for (int32_t k = 0; k < s->directions; k++) {
        const bool backward = (k == 1) || (s->backward != 0);
        const gru_direction d = {
            &w[k * 3 * units * s->input],
            &r[k * 3 * units * units],
            (bias == NULL) ? NULL : &bias[k * 6 * units],
        };

        for (int32_t b = 0; b < s->batch; b++) {
            const int32_t state = ((k * s->batch) + b) * units;

            if (h_start == NULL) {
                (void)memset(h, 0, bytes);
            } else {
                (void)memcpy(h, &h_start[state], bytes);
            }
            for (int32_t t = 0; t < s->steps; t++) {
                const int32_t at = backward ? (s->steps - 1 - t) : t;

                gru_step(&d, s, &x[((at * s->batch) + b) * s->input], h, next, reset);
                (void)memcpy(h, next, bytes);
                if (y != NULL) {
                    (void)memcpy(&y[((((at * s->directions) + k) * s->batch) + b) * units], h, bytes);
                }
            }
            if (h_end != NULL) {
                (void)memcpy(&h_end[state], h, bytes);
            }
        }
    }
}
