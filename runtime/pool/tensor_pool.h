/*
 * A pool that places each tensor in the free block that fits best.
 *
 * Its books lie outside the pool's memory, so every byte of that is a tensor's or free, and the memory may be one that
 * the processor reaches slowly. Calls take time in proportion to the number of blocks, which TENSOR_POOL_MAX_TENSORS
 * bounds: n below is at most TENSOR_POOL_BLOCKS. tensor_fast_pool.h is the pool for constant time.
 */
#ifndef TENSOR_POOL_H
#define TENSOR_POOL_H

#include "tensor_pool_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup tensor_pool A pool with the best fit
 * @{
 */

/** The most tensors that can be live at once: 1 to 16383. */
#ifndef TENSOR_POOL_MAX_TENSORS
#define TENSOR_POOL_MAX_TENSORS 64
#endif

/**
 * Free blocks are joined with their neighbours once there are so many of them. 1: at once. 0: only when memory or
 * entries in the books run out, or tensor_pool_compact is called.
 */
#ifndef TENSOR_POOL_COMPACT_AT
#define TENSOR_POOL_COMPACT_AT 1
#endif

#if (TENSOR_POOL_MAX_TENSORS < 1) || (TENSOR_POOL_MAX_TENSORS > 16383)
#error "TENSOR_POOL_MAX_TENSORS must be 1 to 16383"
#endif

/** Entries in the books: between joined blocks lie live ones, so this many never run out. */
#define TENSOR_POOL_BLOCKS ((2u * TENSOR_POOL_UNSIGNED(TENSOR_POOL_MAX_TENSORS)) + 1u)

typedef struct {
    uint32_t offset;
    uint32_t size;
    uint32_t asked;
    uint16_t before; /* the block at the next lower address, as an index */
    uint16_t after;
    uint16_t references; /* 0: free */
    uint16_t owner;
} TensorBlock;

typedef struct {
    TensorPoolBase base;
    uint32_t cursor; /* from here on all is free, and in no block */
    uint32_t free_blocks;
    uint16_t last;  /* the block that ends at the cursor */
    uint16_t first; /* the block at offset 0 */
    uint16_t spare; /* entries that are not in use, joined by `after` */
    TensorBlock blocks[TENSOR_POOL_BLOCKS];
} TensorMemPool;

#define tensor_pool_init \
    TENSOR_POOL_LINK_NAME(tensor_pool_of, TENSOR_POOL_MAX_TENSORS, TENSOR_POOL_ALIGNMENT, TENSOR_POOL_DEBUG)

/**
 * Makes a pool of memory that is aligned to TENSOR_POOL_ALIGNMENT. Returns 1; or 0, changing nothing, when the pool or
 * the memory is null or not aligned, or there is not even one unit of it. O(n).
 */
int tensor_pool_init(TensorMemPool *pool, void *memory, uint32_t bytes);

/** Before the pool is used; null takes all hooks away. O(1). */
void tensor_pool_set_hooks(TensorMemPool *pool, const TensorPoolHooks *hooks);

/** The bytes in use at which the hook high_water is called; TENSOR_POOL_NONE: never. O(1). */
void tensor_pool_set_mark(TensorMemPool *pool, uint32_t bytes);

/** More memory behind the pool's end, which the caller has. Returns 0 where sizes end. O(1). */
int tensor_pool_grow(TensorMemPool *pool, uint32_t bytes);

/**
 * Returns the offset of so many bytes, a multiple of the alignment, with one reference; TENSOR_POOL_NONE when there is
 * no block, or TENSOR_POOL_MAX_TENSORS are live, and the hook `exhausted` does not ask for another attempt. O(n).
 */
uint32_t tensor_alloc(TensorMemPool *pool, uint32_t bytes);

/** The same for an owner of the caller's choice, a task say; see tensor_end_owner. 0 is nobody. O(n). */
uint32_t tensor_alloc_as(TensorMemPool *pool, uint32_t bytes, uint16_t owner);

/**
 * Frees a tensor that nobody else holds. Returns 1; or 0, changing nothing, when it is not live (freeing it twice does
 * no harm) or others hold references. O(n).
 */
int tensor_free(TensorMemPool *pool, uint32_t offset);

/** One reference more. Returns how many there are now; 0 when it is not live or has too many. O(n). */
uint32_t tensor_retain(TensorMemPool *pool, uint32_t offset);

/** One reference less; the last one frees it. Returns 1; or 0 when it is not live. O(n). */
int tensor_release(TensorMemPool *pool, uint32_t offset);

/**
 * The owner is done: takes one reference, its own, from each of its tensors, which belong to nobody from then on. What
 * others have retained, the outputs say, stays until they release it. Returns how many tensors were freed. O(n^2).
 */
uint32_t tensor_end_owner(TensorMemPool *pool, uint16_t owner);

/** Where a tensor lies; null for TENSOR_POOL_NONE and in debug builds for what is not live. O(1), there O(n). */
void *tensor_address(const TensorMemPool *pool, uint32_t offset);

/** Joins all free blocks that touch, and draws the cursor back. O(n). */
void tensor_pool_compact(TensorMemPool *pool);

/** O(n). */
void tensor_pool_stats(const TensorMemPool *pool, TensorPoolStats *stats);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
