/*
 * A pool whose calls take constant time.
 *
 * Free blocks lie in lists by size, in two levels: one for each power of two, each of them cut into equal parts. Bit
 * maps find a list that fits in a few instructions, whatever the pool holds. Small tensors can come in size classes
 * (64, 256, 1024, 4096 bytes): their blocks are of one size, and some are kept when they are freed, neither cut nor
 * joined, for the next tensor of the class. The rest is the large zone; a tensor larger than all classes has the kept
 * blocks joined with it first.
 * Each tensor has a header of 16 bytes before its first byte, inside the pool's memory.
 */
#ifndef TENSOR_FAST_POOL_H
#define TENSOR_FAST_POOL_H

#include "tensor_pool_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup tensor_fast_pool A pool with constant time
 * @{
 */

/** Each power of two has 2^n lists: 2 to 5. More find a closer fit, and take more memory for the books. */
#ifndef TENSOR_FAST_FINENESS
#define TENSOR_FAST_FINENESS 4
#endif

/** Blocks of a list that an allocation compares: 1 to 64. */
#ifndef TENSOR_FAST_LOOK
#define TENSOR_FAST_LOOK 4
#endif

/** Free blocks of a class that are kept: 0 to 64. More spare calls to the large zone, and make the dearest call dearer. */
#ifndef TENSOR_FAST_KEEP
#define TENSOR_FAST_KEEP 1
#endif

/** The part of a class's block, in percent, that a tensor may leave unused; with more it goes to the large zone. */
#ifndef TENSOR_FAST_WASTE
#define TENSOR_FAST_WASTE 25
#endif

#if (TENSOR_FAST_FINENESS < 2) || (TENSOR_FAST_FINENESS > 5)
#error "TENSOR_FAST_FINENESS must be 2 to 5"
#endif
#if (TENSOR_FAST_LOOK < 1) || (TENSOR_FAST_LOOK > 64)
#error "TENSOR_FAST_LOOK must be 1 to 64"
#endif
#if (TENSOR_FAST_KEEP < 0) || (TENSOR_FAST_KEEP > 64)
#error "TENSOR_FAST_KEEP must be 0 to 64"
#endif

#define TENSOR_FAST_LISTS (1u << TENSOR_POOL_UNSIGNED(TENSOR_FAST_FINENESS))
#define TENSOR_FAST_LEVELS (29u - TENSOR_POOL_UNSIGNED(TENSOR_FAST_FINENESS))
/** Their sizes: 64 << (2 * class). */
#define TENSOR_FAST_CLASSES 4u

typedef struct {
    TensorPoolBase base;
    uint32_t free;                        /* bytes in free blocks */
    uint32_t levels;                      /* a bit for each level that has a free block */
    uint32_t lists[TENSOR_FAST_LEVELS];   /* a bit for each list that has one */
    uint32_t heads[TENSOR_FAST_LEVELS][TENSOR_FAST_LISTS];
    uint32_t classes;                     /* 1: small tensors come in classes */
    uint32_t kept[TENSOR_FAST_CLASSES];   /* free blocks that are kept for the next tensor, a list for each class */
    uint32_t keeps[TENSOR_FAST_CLASSES];  /* how many */
} TensorFastPool;

/* TENSOR_FAST_FINENESS decides the layout of the pool, the others that of its memory. */
#define tensor_fast_pool_init \
    TENSOR_POOL_LINK_NAME(tensor_fast_pool_of, TENSOR_FAST_FINENESS, TENSOR_POOL_ALIGNMENT, TENSOR_POOL_DEBUG)

/**
 * Makes a pool of memory that is aligned to TENSOR_POOL_ALIGNMENT; `classes` other than 0 lets small tensors come
 * in size classes. Returns 1; or 0, changing nothing, when the pool or the memory is null or not aligned, or there are less than
 * two units of it. O(1).
 */
int tensor_fast_pool_init(TensorFastPool *pool, void *memory, uint32_t bytes, int classes);

/** Before the pool is used; null takes all hooks away. O(1). */
void tensor_fast_pool_set_hooks(TensorFastPool *pool, const TensorPoolHooks *hooks);

/** The bytes in use at which the hook high_water is called; TENSOR_POOL_NONE: never. O(1). */
void tensor_fast_pool_set_mark(TensorFastPool *pool, uint32_t bytes);

/** More memory behind the pool's end, which the caller has. Returns 0 where sizes end, or below one unit. O(1). */
int tensor_fast_pool_grow(TensorFastPool *pool, uint32_t bytes);

/**
 * Returns the offset of so many bytes, a multiple of the alignment, with one reference; TENSOR_POOL_NONE when no list
 * has a block and the hook `exhausted` does not ask for another attempt. A block that would just do may be passed over
 * when it lies behind TENSOR_FAST_LOOK others of its list. O(1).
 */
uint32_t tensor_fast_alloc(TensorFastPool *pool, uint32_t bytes);

/** The same for an owner of the caller's choice, a task say; see tensor_fast_end_owner. 0 is nobody. O(1). */
uint32_t tensor_fast_alloc_as(TensorFastPool *pool, uint32_t bytes, uint16_t owner);

/**
 * Frees a tensor that nobody else holds. Returns 1; or 0, changing nothing, when it is not live (freeing it twice does
 * no harm) or others hold references. O(1).
 */
int tensor_fast_free(TensorFastPool *pool, uint32_t offset);

/** One reference more. Returns how many there are now; 0 when it is not live or has too many. O(1). */
uint32_t tensor_fast_retain(TensorFastPool *pool, uint32_t offset);

/** One reference less; the last one frees it. Returns 1; or 0 when it is not live. O(1). */
int tensor_fast_release(TensorFastPool *pool, uint32_t offset);

/**
 * The owner is done: takes one reference, its own, from each of its tensors, which belong to nobody from then on. What
 * others have retained, the outputs say, stays until they release it. Returns how many tensors were freed. O(blocks).
 */
uint32_t tensor_fast_end_owner(TensorFastPool *pool, uint16_t owner);

/** Where a tensor lies; null for TENSOR_POOL_NONE and in debug builds for what is not live. O(1). */
void *tensor_fast_address(const TensorFastPool *pool, uint32_t offset);

/** Gives the blocks that are kept back to the large zone. Large allocations do so themselves, and others before they fail. O(1). */
void tensor_fast_pool_compact(TensorFastPool *pool);

/** O(blocks). */
void tensor_fast_pool_stats(const TensorFastPool *pool, TensorPoolStats *stats);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
