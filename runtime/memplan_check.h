/*
 * The check build of a runner (-D<PREFIX>_CHECK): finds kernels that write where they must not.
 *
 * Before each step every byte that no live tensor needs gets a pattern, and the live tensors that the step does not
 * write get a checksum; after the step both must be as they were. A build without the macro contains nothing of it.
 */
#ifndef MEMPLAN_CHECK_H
#define MEMPLAN_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEMPLAN_SPAN_MADE 0u  /* a step writes it */
#define MEMPLAN_SPAN_VIEW 1u  /* it shows bytes that another tensor has written */
#define MEMPLAN_SPAN_GIVEN 2u /* the caller has written it before the run */
#define MEMPLAN_SPAN_OPEN 3u  /* somebody else may write it at any time */

/** In a report: no tensor, but bytes that nobody uses during the step. */
#define MEMPLAN_NO_TENSOR UINT32_MAX

/** The bytes of a tensor in an arena, alive during the steps first <= step < end. */
typedef struct {
    size_t offset;
    size_t size;
    uint32_t first;
    uint32_t written; /* the step from whose end on its bytes hold; nothing to one that is given */
    uint32_t end;
    uint32_t tensor; /* its index in the offset table */
    uint32_t kind;   /* MEMPLAN_SPAN_* */
} memplan_span;

typedef struct {
    uint8_t *arena;
    size_t size;
    const memplan_span *spans;
    uint32_t *sums; /* one for each span */
    uint32_t count;
} memplan_checked;

void memplan_check_before(const memplan_checked *checked, uint32_t step);

/** Returns how many tensors and unused ranges were damaged, each reported. */
int memplan_check_after(const memplan_checked *checked, uint32_t step);

/**
 * Compares a weight that is there for its steps with what it was brought from. Returns 1 where they differ, which is
 * reported for the first byte that does: it is not there yet, or something has written over it.
 */
int memplan_check_brought(uint32_t step, uint32_t tensor, const void *to, const void *from, size_t bytes);

/** Called for each damage with the first byte known to be wrong. Weak and empty: define it to print. */
void memplan_check_report(uint32_t step, uint32_t tensor, const void *address);

#ifdef __cplusplus
}
#endif

#endif
