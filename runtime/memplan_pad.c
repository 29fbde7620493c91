/* Pads a tensor with its own elements. */
#include "memplan_support.h"

/* The element of an axis of `size` that shows at position `i`, which may lie outside. */
static int32_t pad_source(memplan_pad_mode mode, int32_t i, int32_t size)
{
    int32_t at;

    if (mode == MEMPLAN_PAD_REFLECT) {
        const int32_t period = (size > 1) ? (2 * (size - 1)) : 1;
        const int32_t rest = ((i % period) + period) % period;

        at = (rest < size) ? rest : (period - rest);
    } else if (mode == MEMPLAN_PAD_WRAP) {
        at = ((i % size) + size) % size;
    } else {
        at = (i < 0) ? 0 : ((i < size) ? i : (size - 1));
    }
    return at;
}

MEMPLAN_KERNEL void memplan_pad(const void *x, void *y, size_t width, const memplan_padding *padding)
{
    const uint8_t *const from = x;
    uint8_t *to = y;
    int32_t index[MEMPLAN_RANK] = {0};
    int32_t axis;

    do {
        int32_t at = 0;

        for (axis = 0; axis < padding->rank; axis++) {
            const int32_t size = padding->in[axis];

            at = (at * size) + pad_source(padding->mode, index[axis] - padding->head[axis], size);
        }
        (void)memcpy(to, &from[(size_t)at * width], width);
        to = &to[width];
        for (axis = padding->rank - 1; axis >= 0; axis--) {
            index[axis]++;
            if (index[axis] < padding->out[axis]) {
                break;
            }
            index[axis] = 0;
        }
    } while (axis >= 0);
}
