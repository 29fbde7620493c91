/*
 * The blocks of the pool with constant time; no part of its interface.
 *
 * Blocks lie side by side, from the first to an end marker. A block is named by the offset of its header, which is a
 * unit's multiple less 16, so that the tensor behind it is aligned. Its four words:
 *
 *   BEFORE   header of the block at the next lower address
 *   SIZE     bytes to the next header, and in the low bits what the block is
 *   ASKED    what a tensor asked for; next in the list of a free block
 *   HOLDERS  references and owner of a tensor; previous in the list of a free block
 */
#ifndef TENSOR_FAST_BLOCKS_H
#define TENSOR_FAST_BLOCKS_H

#include <stdbool.h>

#include "tensor_fast_pool.h"

#define FAST_HEADER 16u

#define FAST_BEFORE 0u
#define FAST_SIZE 4u
#define FAST_ASKED 8u
#define FAST_NEXT 8u
#define FAST_HOLDERS 12u
#define FAST_PREVIOUS 12u

#define FAST_KIND 15u
#define FAST_FREE 1u
#define FAST_LIVE 2u
#define FAST_KEPT 3u /* free, but kept for the next tensor of its class */
#define FAST_END 4u

/* Words are put together from bytes: tensors of any type may have lain where a header is now. */
static inline uint32_t fast_word(const TensorFastPool *pool, uint32_t header, uint32_t word)
{
    const uint8_t *const at = &pool->base.memory[header + word];

    return (uint32_t)at[0] | ((uint32_t)at[1] << 8) | ((uint32_t)at[2] << 16) | ((uint32_t)at[3] << 24);
}

static inline void fast_set(const TensorFastPool *pool, uint32_t header, uint32_t word, uint32_t value)
{
    uint8_t *const at = &pool->base.memory[header + word];

    at[0] = (uint8_t)(value & 0xFFu);
    at[1] = (uint8_t)((value >> 8) & 0xFFu);
    at[2] = (uint8_t)((value >> 16) & 0xFFu);
    at[3] = (uint8_t)(value >> 24);
}

static inline uint32_t fast_size(const TensorFastPool *pool, uint32_t header)
{
    return fast_word(pool, header, FAST_SIZE) & ~FAST_KIND;
}

static inline uint32_t fast_kind(const TensorFastPool *pool, uint32_t header)
{
    return fast_word(pool, header, FAST_SIZE) & FAST_KIND;
}

/** The first header of a pool. */
#define FAST_FIRST (TENSOR_POOL_UNIT - FAST_HEADER)

/** Makes one free block of the pool's memory, and the end marker. */
void tensor_fast_blocks_init(TensorFastPool *pool);
/** Moves the end marker to the new end. */
void tensor_fast_blocks_grow(TensorFastPool *pool, uint32_t bytes);
/** A live block of `size` bytes, header included, a multiple of the unit; TENSOR_POOL_NONE when there is none. */
uint32_t tensor_fast_block_take(TensorFastPool *pool, uint32_t size);
/** Makes it free, and one with free neighbours. In debug builds its bytes behind the header have the pattern already. */
void tensor_fast_block_give(TensorFastPool *pool, uint32_t header);

/** The most bytes that a tensor of a class has. */
#define TENSOR_FAST_LARGEST_CLASS (64u << (2u * (TENSOR_FAST_CLASSES - 1u)))
/** The class for a tensor; TENSOR_FAST_CLASSES when it belongs into the large zone. */
uint32_t tensor_fast_class_of(uint32_t bytes);
/** The bytes of a class's blocks, header included. */
uint32_t tensor_fast_class_size(uint32_t class_index);
/** A live block for a tensor of a class: one that was kept, else from the large zone; TENSOR_POOL_NONE when there is none. */
uint32_t tensor_fast_class_take(TensorFastPool *pool, uint32_t class_index);
/** Keeps a block for the next tensor of its class. Returns false, changing nothing, when it has none or enough are kept. */
bool tensor_fast_class_keep(TensorFastPool *pool, uint32_t header);
/** Gives the kept blocks back to the large zone. */
void tensor_fast_class_reclaim(TensorFastPool *pool);

#endif
