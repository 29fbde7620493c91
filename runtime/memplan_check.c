/* The check build: patterns in unused bytes, checksums of live tensors. */
#include "memplan_check.h"
#include "memplan_support.h"

static bool check_alive(const memplan_span *span, uint32_t step)
{
    return (span->first <= step) && (step < span->end);
}

/* The step writes it. */
static bool check_made(const memplan_span *span, uint32_t step)
{
    return (span->kind == MEMPLAN_SPAN_MADE) && (span->written == step);
}

/* The step must leave it alone: it has its content by now, and if this is its last step, no result takes its bytes. */
static bool check_protected(const memplan_checked *checked, const memplan_span *span, uint32_t step)
{
    if (!check_alive(span, step) || (span->kind == MEMPLAN_SPAN_OPEN) ||
        ((span->kind != MEMPLAN_SPAN_GIVEN) && (step <= span->written))) {
        return false;
    }
    for (uint32_t i = 0u; (span->end == (step + 1u)) && (i < checked->count); i++) {
        const memplan_span *const other = &checked->spans[i];

        if (check_made(other, step) && (other->offset < (span->offset + span->size)) &&
            (span->offset < (other->offset + other->size))) {
            return false;
        }
    }
    return true;
}

/* The end of the unused bytes that begin at `from`, which is `from` itself where a live tensor lies; see `next`. */
static size_t check_unused_end(const memplan_checked *checked, uint32_t step, size_t from, size_t *next)
{
    size_t end = checked->size;

    *next = from;
    for (uint32_t i = 0u; i < checked->count; i++) {
        const memplan_span *const span = &checked->spans[i];
        const size_t after = span->offset + span->size;

        if (!check_alive(span, step) || (after <= from)) {
            continue;
        }
        if (span->offset <= from) {
            *next = (after > *next) ? after : *next;
        } else if (span->offset < end) {
            end = span->offset;
        } else {
            /* further away */
        }
    }
    if (*next > from) {
        end = from;
    } else {
        *next = end;
    }
    return end;
}

static uint8_t check_pattern(size_t at)
{
    return (uint8_t)(0xA5u ^ (at * 7u));
}

static uint32_t check_sum(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 2166136261u;

    for (size_t i = 0u; i < size; i++) {
        sum = (sum ^ bytes[i]) * 16777619u;
    }
    return sum;
}

MEMPLAN_KERNEL void memplan_check_report(uint32_t step, uint32_t tensor, const void *address)
{
    (void)step;
    (void)tensor;
    (void)address;
}

MEMPLAN_KERNEL void memplan_check_before(const memplan_checked *checked, uint32_t step)
{
    size_t next;

    for (size_t from = 0u; from < checked->size; from = next) {
        const size_t end = check_unused_end(checked, step, from, &next);

        for (size_t at = from; at < end; at++) {
            checked->arena[at] = check_pattern(at);
        }
    }
    for (uint32_t i = 0u; i < checked->count; i++) {
        const memplan_span *const span = &checked->spans[i];

        checked->sums[i] = check_sum(&checked->arena[span->offset], span->size);
    }
}

MEMPLAN_KERNEL int memplan_check_after(const memplan_checked *checked, uint32_t step)
{
    int damages = 0;
    size_t next;

    for (size_t from = 0u; from < checked->size; from = next) {
        const size_t end = check_unused_end(checked, step, from, &next);

        for (size_t at = from; at < end; at++) {
            if (checked->arena[at] != check_pattern(at)) {
                memplan_check_report(step, MEMPLAN_NO_TENSOR, &checked->arena[at]);
                damages++;
                break;
            }
        }
    }
    for (uint32_t i = 0u; i < checked->count; i++) {
        const memplan_span *const span = &checked->spans[i];

        if (check_protected(checked, span, step) &&
            (checked->sums[i] != check_sum(&checked->arena[span->offset], span->size))) {
            memplan_check_report(step, span->tensor, &checked->arena[span->offset]);
            damages++;
        }
    }
    return damages;
}

MEMPLAN_KERNEL int memplan_check_brought(uint32_t step, uint32_t tensor, const void *to, const void *from, size_t bytes)
{
    const uint8_t *const there = (const uint8_t *)to;
    const uint8_t *const wanted = (const uint8_t *)from;

    for (size_t i = 0u; i < bytes; i++) {
        if (there[i] != wanted[i]) {
            memplan_check_report(step, tensor, &there[i]);
            return 1;
        }
    }
    return 0;
}
