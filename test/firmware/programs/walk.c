/*
 * Walks the steps of a plan through its offset table. At its first step a tensor's bytes are filled with a pattern of
 * its own; at every step all bytes of every live tensor must still be what was written. A view shows the bytes of the
 * tensor it is a view of, and so does a part that lies in the tensor it was cut from; a tensor written in place takes the
 * bytes of an operand that dies in that step; one that is joined finds some of its parts in their places already.
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

/* It shows bytes of another tensor: as a view, or as a part of what a Split cuts. */
static int shows(uint32_t tensor)
{
    const uint32_t alias = net_table[tensor].alias;

    return (net_table[tensor].how == NET_HOW_VIEW) ||
           ((net_table[tensor].how == NET_HOW_ELIDED) && (net_table[alias].first < net_table[tensor].first));
}

/* The tensor whose step made the bytes that `tensor` shows. */
static uint32_t writer_of(uint32_t tensor)
{
    uint32_t writer = tensor;

    while (shows(writer) != 0) {
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

/* Some of its parts lay in their places before the step that joins them. */
static int joined(uint32_t tensor)
{
    uint32_t t;

    for (t = 0u; t < ROWS; t++) {
        if ((net_table[t].how == NET_HOW_ELIDED) && (net_table[t].alias == tensor) && (shows(t) == 0)) {
            return 1;
        }
    }
    return 0;
}

/* Its bytes are there when the step of `whole` begins: those of an input are when the run begins. */
static int is_before(uint32_t tensor, uint32_t whole)
{
    return (net_table[tensor].first < net_table[whole].first) ||
           ((net_table[tensor].how == NET_HOW_ELIDED) && (net_table[tensor].alias == whole) && (shows(tensor) == 0));
}

/*
 * The tensor whose pattern byte `*at` of `tensor` must hold; `*at` becomes the byte of that tensor. So it is for
 * `*count` bytes, which is at most what it was.
 */
static uint32_t pattern_of(uint32_t tensor, uint32_t *at, uint32_t *count)
{
    uint32_t whole = tensor;

    if (ROWS < 2u) {
        return tensor; /* Compilers see through the loops, and fear the second row. */
    }
    for (;;) {
        uint32_t last = whole;
        uint32_t t;

        while (shows(whole) != 0) {
            *at += (uint32_t)net_table[whole].offset - (uint32_t)net_table[net_table[whole].alias].offset;
            whole = net_table[whole].alias;
        }
        last = whole;
        if (joined(whole) == 0) {
            return whole;
        }
        for (t = 0u; t < ROWS; t++) {
            const uint32_t byte = (uint32_t)net_table[whole].offset + *at;
            const uint32_t from = (uint32_t)net_table[t].offset;

            if ((t == whole) || (bytes_of(t) == NULL) || (root_of(t) != root_of(whole)) ||
                (is_before(t, whole) == 0) || (net_table[t].end <= net_table[whole].first)) {
                continue;
            }
            if (from > byte) {
                *count = ((from - byte) < *count) ? (from - byte) : *count;
            } else if (byte < (from + net_table[t].size)) {
                *count = ((from + net_table[t].size - byte) < *count) ? (from + net_table[t].size - byte) : *count;
                if ((last == whole) || (net_table[t].first > net_table[last].first)) {
                    last = t;
                }
            }
        }
        if (last == whole) {
            return whole;
        }
        *at += (uint32_t)net_table[whole].offset - (uint32_t)net_table[last].offset;
        whole = last;
    }
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

/* The step of a joined tensor leaves alone what already lies in its place. */
static void write_tensor(uint32_t tensor)
{
    uint8_t *const bytes = bytes_of(tensor);
    uint32_t i = 0u;
    uint32_t end;

    while (i < net_table[tensor].size) {
        uint32_t at = i;
        uint32_t count = net_table[tensor].size - i;
        const uint32_t writer = pattern_of(tensor, &at, &count);

        for (end = i + count; i < end; i++) {
            if (writer == tensor) {
                bytes[i] = pattern(tensor, i);
            }
        }
    }
}

static void write_step(uint32_t step, int in_place)
{
    uint32_t t;

    for (t = 0u; t < ROWS; t++) {
        const int over = (net_table[t].how == NET_HOW_IN_PLACE) ? 1 : 0;

        if ((bytes_of(t) != NULL) && (net_table[t].first == step) && (shows(t) == 0) && (over == in_place)) {
            write_tensor(t);
        }
    }
}

/* Says the first byte that is not what it must be. */
static int is_kept(uint32_t tensor, uint32_t step)
{
    const uint8_t *const bytes = bytes_of(tensor);
    uint32_t i = 0u;
    uint32_t end;

    while (i < net_table[tensor].size) {
        uint32_t at = i;
        uint32_t count = net_table[tensor].size - i;
        const uint32_t writer = pattern_of(tensor, &at, &count);

        for (end = i + count; i < end; i++, at++) {
            if (bytes[i] != pattern(writer, at)) {
                say_number("clobbered: tensor ", tensor);
                say_number("  at step ", step);
                say_number("  byte ", i);
                return 0;
            }
        }
    }
    return 1;
}

/* Returns the number of live tensors of which some byte is not its own. */
static uint32_t check_step(uint32_t step)
{
    uint32_t clobbered = 0u;
    uint32_t t;

    for (t = 0u; t < ROWS; t++) {
        if ((readable(t, step) != 0) && (taken_over(t, step) == 0) && (is_kept(t, step) == 0)) {
            clobbered++;
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
        write_step(step, 0);
        write_step(step, 1);
        clobbered += check_step(step);
    }
    say_number("steps ", STEPS);
    say_number("clobbered ", clobbered);
    return (clobbered == 0u) ? 0 : 1;
}
