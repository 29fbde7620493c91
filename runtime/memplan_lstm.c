/* LSTM, float32. Gates in the order input, output, forget, cell (ONNX). */
#include "memplan_support.h"

/* The weights of one direction. */
typedef struct {
    const float *w;
    const float *r;
    const float *bias;
    const float *peephole;
} lstm_direction;

/* What goes into the activation of one unit's gate. */
static float lstm_gate(const lstm_direction *d, const memplan_recurrent *s, const float *x, const float *h, int32_t which,
                  int32_t unit)
{
    const int32_t row = (which * s->hidden) + unit;
    float sum = memplan_dot(x, 1, &d->w[row * s->input], 1, s->input);

    sum += memplan_dot(h, 1, &d->r[row * s->hidden], 1, s->hidden);

    if (d->bias != NULL) {
        sum += d->bias[row] + d->bias[(4 * s->hidden) + row];
    }
    return sum;
}

/* Peepholes in the order input, output, forget. */
static float lstm_peephole(const lstm_direction *d, const memplan_recurrent *s, int32_t which, int32_t unit, float cell)
{
    return (d->peephole == NULL) ? 0.0f : (d->peephole[(which * s->hidden) + unit] * cell);
}

/* One step: reads x and h, brings c up to date, writes the new h to `next`. */
static void lstm_step(const lstm_direction *d, const memplan_recurrent *s, const float *x, const float *h, float *c, float *next)
{
    for (int32_t j = 0; j < s->hidden; j++) {
        const float input = memplan_logistic(lstm_gate(d, s, x, h, 0, j) + lstm_peephole(d, s, 0, j, c[j]));
        const float forget = memplan_logistic(lstm_gate(d, s, x, h, 2, j) + lstm_peephole(d, s, 2, j, c[j]));
        const float cell = tanhf(lstm_gate(d, s, x, h, 3, j));
        float output;

        c[j] = (forget * c[j]) + (input * cell);
        output = memplan_logistic(lstm_gate(d, s, x, h, 1, j) + lstm_peephole(d, s, 1, j, c[j]));
        next[j] = output * tanhf(c[j]);
    }
}

static void lstm_load(float *to, const float *from, size_t bytes)
{
    if (from == NULL) {
        (void)memset(to, 0, bytes);
    } else {
        (void)memcpy(to, from, bytes);
    }
}

MEMPLAN_KERNEL void memplan_lstm_f32(const float *x, const float *w, const float *r, const float *bias,
                                     const float *peephole, const float *h_start, const float *c_start, float *y,
                                     float *h_end, float *c_end, float *scratch, const memplan_recurrent *s)
{
    const int32_t units = s->hidden;
    const size_t bytes = (size_t)units * sizeof(float);
    float *const h = scratch;
    float *const c = &scratch[units];
    float *const next = &scratch[2 * units];

    for (int32_t k = 0; k < s->directions; k++) {
        const bool backward = (k == 1) || (s->backward != 0);
        const lstm_direction d = {
            &w[k * 4 * units * s->input],
            &r[k * 4 * units * units],
            (bias == NULL) ? NULL : &bias[k * 8 * units],
            (peephole == NULL) ? NULL : &peephole[k * 3 * units],
        };

        for (int32_t b = 0; b < s->batch; b++) {
            const int32_t state = ((k * s->batch) + b) * units;

            lstm_load(h, (h_start == NULL) ? NULL : &h_start[state], bytes);
            lstm_load(c, (c_start == NULL) ? NULL : &c_start[state], bytes);
            for (int32_t t = 0; t < s->steps; t++) {
                const int32_t at = backward ? (s->steps - 1 - t) : t;

                lstm_step(&d, s, &x[((at * s->batch) + b) * s->input], h, c, next);
                (void)memcpy(h, next, bytes);
                if (y != NULL) {
                    (void)memcpy(&y[((((at * s->directions) + k) * s->batch) + b) * units], h, bytes);
                }
            }
            if (h_end != NULL) {
                (void)memcpy(&h_end[state], h, bytes);
            }
            if (c_end != NULL) {
                (void)memcpy(&c_end[state], c, bytes);
            }
        }
    }
}
