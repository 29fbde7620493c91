/* Reads and writes slices at places that another tensor names. An index outside its axis is clamped to it. */
#include "memplan_support.h"

static int32_t gather_place(int64_t index, int32_t size)
{
    const int64_t counted = (index < 0) ? (index + size) : index;
    const int64_t raised = (counted < 0) ? 0 : counted;

    return (int32_t)((raised < size) ? raised : ((int64_t)size - 1));
}

MEMPLAN_INLINE void gather_slices(const void *x, const void *indexes, bool is_wide, void *y, size_t width,
                           const memplan_gathering *g)
{
    const size_t bytes = (size_t)g->inner * width;
    const uint8_t *from = x;
    uint8_t *to = y;

    for (int32_t o = 0; o < g->outer; o++) {
        for (int32_t i = 0; i < g->count; i++) {
            const int64_t index = is_wide ? ((const int64_t *)indexes)[i] : (int64_t)((const int32_t *)indexes)[i];

            (void)memcpy(to, &from[(size_t)gather_place(index, g->size) * bytes], bytes);
            to = &to[bytes];
        }
        from = &from[(size_t)g->size * bytes];
    }
}

MEMPLAN_KERNEL void memplan_gather_i32(const void *x, const int32_t *indexes, void *y, size_t width,
                                       const memplan_gathering *g)
{
    gather_slices(x, indexes, false, y, width, g);
}

MEMPLAN_KERNEL void memplan_gather_i64(const void *x, const int64_t *indexes, void *y, size_t width,
                                       const memplan_gathering *g)
{
    gather_slices(x, indexes, true, y, width, g);
}

MEMPLAN_KERNEL void memplan_scatter_nd_i64(const int64_t *indexes, const void *updates, void *y, size_t width,
                                           const memplan_scattering *s)
{
    const size_t bytes = (size_t)s->inner * width;
    const uint8_t *from = updates;
    uint8_t *const to = y;

    for (int32_t i = 0; i < s->count; i++) {
        int32_t at = 0;

        for (int32_t axis = 0; axis < s->depth; axis++) {
            at = (at * s->shape[axis]) + gather_place(indexes[(i * s->depth) + axis], s->shape[axis]);
        }
        (void)memcpy(&to[(size_t)at * bytes], from, bytes);
        from = &from[bytes];
    }
}

MEMPLAN_INLINE void gather_one_hot(const void *indexes, bool is_wide, const void *values, void *y, size_t width,
                                   const memplan_axis *axis)
{
    const uint8_t *const off = values;
    uint8_t *to = y;

    for (int32_t o = 0; o < axis->outer; o++) {
        for (int32_t k = 0; k < axis->size; k++) {
            for (int32_t i = 0; i < axis->inner; i++) {
                const int32_t at = (o * axis->inner) + i;
                const int64_t index =
                    is_wide ? ((const int64_t *)indexes)[at] : (int64_t)((const int32_t *)indexes)[at];
                const int64_t place = (index < 0) ? (index + axis->size) : index;

                (void)memcpy(to, (place == k) ? &off[width] : off, width);
                to = &to[width];
            }
        }
    }
}

MEMPLAN_KERNEL void memplan_one_hot_i32(const int32_t *indexes, const void *values, void *y, size_t width,
                                        const memplan_axis *axis)
{
    gather_one_hot(indexes, false, values, y, width, axis);
}

MEMPLAN_KERNEL void memplan_one_hot_i64(const int64_t *indexes, const void *values, void *y, size_t width,
                                        const memplan_axis *axis)
{
    gather_one_hot(indexes, true, values, y, width, axis);
}
