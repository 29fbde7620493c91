/*
 * How a runner brings weights from flash to their places in RAM (--weights stage): while a step runs with its own, those of
 * the next one come.
 *
 * As they are here, the core copies before the step and the other two do nothing. A firmware with a DMA engine defines all
 * three; functions of the same name take the place of these.
 */
#ifndef MEMPLAN_BRING_H
#define MEMPLAN_BRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begins to copy a weight. It need not be there before memplan_bring_wait() returns; several may be on their way. */
void memplan_bring(void *to, const void *from, size_t bytes);

/** Returns when all that was begun is there. Kernels read it next, so it ends with a barrier where the core needs one. */
void memplan_bring_wait(void);

/**
 * Drops whole lines of the data cache without writing them back: before a weight comes to them, and once it is there. It
 * must do nothing where the core copies, whose cache knows what it writes. Not called for a place without a cache.
 */
void memplan_bring_invalidate(void *address, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
