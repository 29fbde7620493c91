/*
 * Walks the steps of a plan through its offset table. At its first step a tensor's bytes are filled with a pattern of
 * its own; at every step all bytes of every live tensor must still be what was written. A view shows the bytes of the
 * tensor it is a view of; a tensor written in place takes the bytes of an operand that dies in that step.
 *
 * Exit status: 0 nothing clobbered, 1 clobbered, 2 an arena is not in its memory.
 */
#include "platform.h"
#include "tensor_memory_pool.h"

#define ROWS ((uint32_t)NET_TENSOR_COUNT)
#define STEPS ((uint32_t)NET_STEP_COUNT)

static uint8_t pattern(uint32_t tensor, uint32_t i)
{
    uint32_t x = ((tensor + 1u) * 2654435761u) ^ (i * 2246822519u);

    x ^= x >> 15;
    x *= 2146121005u;
    return (uint8_t)(x >> 24);
}

static uint8_t *bytes_of(uint32_t tensor)
{
    return (uint8_t *)net_tensor((net_index)tensor);
}

/* The tensor whose write filled the bytes that `tensor` shows. */
static uint32_t writer_of(uint32_t tensor)
{
    uint32_t writer = tensor;

    while (net_table[writer].how == NET_HOW_VIEW) {
        writer = net_table[writer].alias;
    }
    return writer;
}

/* The first of all tensors that share bytes with `tensor`. */
static uint32_t root_of(uint32_t tensor)
{
    uint32_t root = tensor;

    while (net_table[root].alias != root) {
        root = net_table[root].alias;
    }
    return root;
}

/* A view carried round a loop is reserved before the body makes its source: until then there is nothing to find. */
static int readable(uint32_t tensor, uint32_t step)
{
    return (bytes_of(tensor) != NULL) && (net_table[tensor].first <= step) && (step < net_table[tensor].end) &&
           (net_table[writer_of(tensor)].first <= step);
}

/* A dying operand whose bytes an output of this very step has taken over. */
static int taken_over(uint32_t tensor, uint32_t step)
{
    uint32_t t;

    for (t = 0u; t < ROWS; t++) {
        if ((t != tensor) && (net_table[t].how == NET_HOW_IN_PLACE) && (net_table[t].first == step) &&
            (root_of(t) == root_of(tensor)) && (net_table[tensor].end == (step + 1u))) {
            return 1;
        }
    }
    return 0;
}

static void write_step(uint32_t step, uint8_t how)
{
    uint32_t t;
    uint32_t i;

    for (t = 0u; t < ROWS; t++) {
        uint8_t *const bytes = bytes_of(t);

        if ((bytes != NULL) && (net_table[t].first == step) && (net_table[t].how == how)) {
            for (i = 0u; i < net_table[t].size; i++) {
                bytes[i] = pattern(t, i);
            }
        }
    }
}

/* Returns the number of live tensors of which some byte is not its own. */
static uint32_t check_step(uint32_t step)
{
    uint32_t clobbered = 0u;
    uint32_t t;
    uint32_t i;

    for (t = 0u; t < ROWS; t++) {
        const uint32_t writer = writer_of(t);
        const uint8_t *const bytes = bytes_of(t);
        const uint32_t shift = (uint32_t)net_table[t].offset - (uint32_t)net_table[writer].offset;

        if ((readable(t, step) == 0) || (taken_over(t, step) != 0)) {
            continue;
        }
        for (i = 0u; i < net_table[t].size; i++) {
            if (bytes[i] != pattern(writer, shift + i)) {
                say_number("clobbered: tensor ", t);
                say_number("  at step ", step);
                say_number("  byte ", i);
                clobbered++;
                break;
            }
        }
    }
    return clobbered;
}

int main(void)
{
    uint32_t clobbered = 0u;
    uint32_t step;

#if defined(ON_TARGET)
    if (net_misplaced() != 0u) {
        say_number("misplaced: regions ", net_misplaced());
        return 2;
    }
#endif
    for (step = 0u; step < STEPS; step++) {
        write_step(step, NET_HOW_OWN);
        write_step(step, NET_HOW_IN_PLACE);
        clobbered += check_step(step);
    }
    say_number("steps ", STEPS);
    say_number("clobbered ", clobbered);
    return (clobbered == 0u) ? 0 : 1;
}
