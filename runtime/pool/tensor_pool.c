/* A pool with the best fit. Blocks are a list in the order of addresses, without a hole up to the cursor. */
#include "tensor_pool.h"

#include <stdbool.h>
#include <string.h>

/* No block. */
#define NO_BLOCK 0xFFFFu

static uint16_t take_spare(TensorMemPool *pool)
{
    const uint16_t index = pool->spare;

    if (index != NO_BLOCK) {
        pool->spare = pool->blocks[index].after;
    }
    return index;
}

static void give_spare(TensorMemPool *pool, uint16_t index)
{
    pool->blocks[index].after = pool->spare;
    pool->spare = index;
}

/* Puts a block into the list behind another one, or at its head. */
static void link_behind(TensorMemPool *pool, uint16_t index, uint16_t before)
{
    const uint16_t after = (before == NO_BLOCK) ? pool->first : pool->blocks[before].after;

    pool->blocks[index].before = before;
    pool->blocks[index].after = after;
    if (before == NO_BLOCK) {
        pool->first = index;
    } else {
        pool->blocks[before].after = index;
    }
    if (after == NO_BLOCK) {
        pool->last = index;
    } else {
        pool->blocks[after].before = index;
    }
}

static void unlink_block(TensorMemPool *pool, uint16_t index)
{
    const uint16_t before = pool->blocks[index].before;
    const uint16_t after = pool->blocks[index].after;

    if (before == NO_BLOCK) {
        pool->first = after;
    } else {
        pool->blocks[before].after = after;
    }
    if (after == NO_BLOCK) {
        pool->last = before;
    } else {
        pool->blocks[after].before = before;
    }
    give_spare(pool, index);
}

static bool is_free(const TensorMemPool *pool, uint16_t index)
{
    return (index != NO_BLOCK) && (pool->blocks[index].references == 0u);
}

/* Joins a free block with the one behind it, if that is free. */
static void join_behind(TensorMemPool *pool, uint16_t index)
{
    const uint16_t after = pool->blocks[index].after;

    if (is_free(pool, after)) {
        pool->blocks[index].size += pool->blocks[after].size;
        unlink_block(pool, after);
        pool->free_blocks--;
    }
}

/* Free blocks at the cursor go back to the rest. */
static void draw_back(TensorMemPool *pool)
{
    while (is_free(pool, pool->last)) {
        pool->cursor = pool->blocks[pool->last].offset;
        unlink_block(pool, pool->last);
        pool->free_blocks--;
    }
}

static void join_all(TensorMemPool *pool)
{
    uint16_t index = pool->first;

    while (index != NO_BLOCK) {
        const uint16_t after = pool->blocks[index].after;

        if (is_free(pool, index) && is_free(pool, after)) {
            join_behind(pool, index);
        } else {
            index = after;
        }
    }
    draw_back(pool);
}

/* The smallest free block of at least so many bytes, the lowest of several. */
static uint16_t best_fit(const TensorMemPool *pool, uint32_t size)
{
    uint16_t best = NO_BLOCK;

    for (uint16_t index = pool->first; index != NO_BLOCK; index = pool->blocks[index].after) {
        const TensorBlock *const block = &pool->blocks[index];

        if ((block->references == 0u) && (block->size >= size) &&
            ((best == NO_BLOCK) || (block->size < pool->blocks[best].size))) {
            best = index;
        }
    }
    return best;
}

/* A block of exactly so many bytes, out of the list of free ones; NO_BLOCK when there is none. */
static uint16_t find_block(TensorMemPool *pool, uint32_t size)
{
    const uint16_t found = best_fit(pool, size);
    uint16_t index;

    if (found != NO_BLOCK) {
        TensorBlock *const block = &pool->blocks[found];

        if (block->size > size) {
            index = take_spare(pool);
            if (index == NO_BLOCK) {
                return NO_BLOCK;
            }
            pool->blocks[index].offset = block->offset + size;
            pool->blocks[index].size = block->size - size;
            pool->blocks[index].references = 0u;
            block->size = size;
            link_behind(pool, index, found);
        } else {
            pool->free_blocks--;
        }
        return found;
    }
    if (size > (pool->base.size - pool->cursor)) {
        return NO_BLOCK;
    }
    index = take_spare(pool);
    if (index != NO_BLOCK) {
        pool->blocks[index].offset = pool->cursor;
        pool->blocks[index].size = size;
        link_behind(pool, index, pool->last);
        pool->cursor += size;
    }
    return index;
}

/* The live block at an offset. */
static uint16_t live_block(const TensorMemPool *pool, uint32_t offset)
{
    uint16_t index = pool->first;

    while ((index != NO_BLOCK) && (pool->blocks[index].offset != offset)) {
        index = pool->blocks[index].after;
    }
    return is_free(pool, index) ? NO_BLOCK : index;
}

static void free_block(TensorMemPool *pool, uint16_t index)
{
    TensorBlock *const block = &pool->blocks[index];

    tensor_pool_base_gave(&pool->base, block->asked, block->size);
    tensor_pool_base_poison(&pool->base, block->offset, block->size);
    block->references = 0u;
    block->owner = 0u;
    pool->free_blocks++;
#if TENSOR_POOL_COMPACT_AT == 1
    join_behind(pool, index);
    if (is_free(pool, block->before)) {
        join_behind(pool, block->before);
    }
    draw_back(pool);
#elif TENSOR_POOL_COMPACT_AT > 1
    if (pool->free_blocks >= TENSOR_POOL_UNSIGNED(TENSOR_POOL_COMPACT_AT)) {
        join_all(pool);
    }
#endif
}

/* Takes one reference away. */
static void drop(TensorMemPool *pool, uint16_t index)
{
    if (pool->blocks[index].references == 1u) {
        free_block(pool, index);
    } else {
        pool->blocks[index].references--;
    }
}

int tensor_pool_init(TensorMemPool *pool, void *memory, uint32_t bytes)
{
    if ((pool == NULL) || (tensor_pool_base_init(&pool->base, memory, bytes) == 0)) {
        return 0;
    }
    (void)memset(pool->blocks, 0, sizeof pool->blocks);
    pool->cursor = 0u;
    pool->free_blocks = 0u;
    pool->first = NO_BLOCK;
    pool->last = NO_BLOCK;
    pool->spare = NO_BLOCK;
    for (uint32_t i = TENSOR_POOL_BLOCKS; i > 0u; i--) {
        give_spare(pool, (uint16_t)(i - 1u));
    }
    tensor_pool_base_poison(&pool->base, 0u, pool->base.size);
    return 1;
}

void tensor_pool_set_hooks(TensorMemPool *pool, const TensorPoolHooks *hooks)
{
    tensor_pool_base_set_hooks(&pool->base, hooks);
}

void tensor_pool_set_mark(TensorMemPool *pool, uint32_t bytes)
{
    tensor_pool_base_set_mark(&pool->base, bytes);
}

int tensor_pool_grow(TensorMemPool *pool, uint32_t bytes)
{
    const uint32_t usable = bytes - (bytes % TENSOR_POOL_UNIT);
    int done = 0;

    tensor_pool_base_lock(&pool->base);
    if (usable < (TENSOR_POOL_NONE - pool->base.size)) {
        tensor_pool_base_poison(&pool->base, pool->base.size, usable);
        pool->base.size += usable;
        done = 1;
    }
    tensor_pool_base_unlock(&pool->base);
    return done;
}

uint32_t tensor_alloc(TensorMemPool *pool, uint32_t bytes)
{
    return tensor_alloc_as(pool, bytes, 0u);
}

/* One attempt, under the lock. */
static uint32_t attempt_alloc(TensorMemPool *pool, uint32_t bytes, uint16_t owner, uint32_t *news)
{
    const uint32_t size = tensor_pool_base_rounded(bytes);
    TensorBlock *block;
    uint16_t index;

    if ((size == TENSOR_POOL_NONE) || (pool->base.live >= TENSOR_POOL_UNSIGNED(TENSOR_POOL_MAX_TENSORS))) {
        return TENSOR_POOL_NONE;
    }
    index = find_block(pool, size);
#if TENSOR_POOL_COMPACT_AT != 1
    if (index == NO_BLOCK) {
        join_all(pool);
        index = find_block(pool, size);
    }
#endif
    if (index == NO_BLOCK) {
        return TENSOR_POOL_NONE;
    }
    block = &pool->blocks[index];
    block->asked = bytes;
    block->references = 1u;
    block->owner = owner;
    *news = tensor_pool_base_took(&pool->base, bytes, size, block->offset + size) |
            tensor_pool_base_written(&pool->base, block->offset, size);
    return block->offset;
}

uint32_t tensor_alloc_as(TensorMemPool *pool, uint32_t bytes, uint16_t owner)
{
    uint32_t offset;
    uint32_t attempt = 0u;
    uint32_t news = 0u;
    int again;

    do {
        tensor_pool_base_lock(&pool->base);
        offset = attempt_alloc(pool, bytes, owner, &news);
        tensor_pool_base_unlock(&pool->base);
        again = (offset == TENSOR_POOL_NONE) ? tensor_pool_base_again(&pool->base, bytes, attempt) : 0;
        attempt++;
    } while (again != 0);
    tensor_pool_base_tell(&pool->base, news, offset);
    return offset;
}

int tensor_free(TensorMemPool *pool, uint32_t offset)
{
    uint16_t index;
    int done = 0;
    bool held = false;

    tensor_pool_base_lock(&pool->base);
    index = live_block(pool, offset);
    if (index != NO_BLOCK) {
        held = pool->blocks[index].references > 1u;
        if (!held) {
            free_block(pool, index);
            done = 1;
        }
    }
    tensor_pool_base_unlock(&pool->base);
    if (held) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_STILL_USED, offset);
    }
    return done;
}

uint32_t tensor_retain(TensorMemPool *pool, uint32_t offset)
{
    uint32_t references = 0u;
    uint16_t index;

    tensor_pool_base_lock(&pool->base);
    index = live_block(pool, offset);
    if ((index != NO_BLOCK) && (pool->blocks[index].references < TENSOR_POOL_MAX_REFERENCES)) {
        pool->blocks[index].references++;
        references = pool->blocks[index].references;
    }
    tensor_pool_base_unlock(&pool->base);
    if (references == 0u) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
    }
    return references;
}

int tensor_release(TensorMemPool *pool, uint32_t offset)
{
    uint16_t index;

    tensor_pool_base_lock(&pool->base);
    index = live_block(pool, offset);
    if (index != NO_BLOCK) {
        drop(pool, index);
    }
    tensor_pool_base_unlock(&pool->base);
    if (index == NO_BLOCK) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
    }
    return index != NO_BLOCK;
}

/* The first live block of an owner. */
static uint16_t owned_block(const TensorMemPool *pool, uint16_t owner)
{
    uint16_t index = pool->first;

    while ((index != NO_BLOCK) && ((pool->blocks[index].references == 0u) || (pool->blocks[index].owner != owner))) {
        index = pool->blocks[index].after;
    }
    return index;
}

uint32_t tensor_end_owner(TensorMemPool *pool, uint16_t owner)
{
    uint32_t before;
    uint32_t freed = 0u;

    if (owner != 0u) {
        tensor_pool_base_lock(&pool->base);
        before = pool->base.live;
        for (uint16_t index = owned_block(pool, owner); index != NO_BLOCK; index = owned_block(pool, owner)) {
            pool->blocks[index].owner = 0u;
            drop(pool, index);
        }
        freed = before - pool->base.live;
        tensor_pool_base_unlock(&pool->base);
    }
    return freed;
}

void *tensor_address(const TensorMemPool *pool, uint32_t offset)
{
    if (offset >= pool->base.size) {
        return NULL;
    }
#if TENSOR_POOL_DEBUG
    if (live_block(pool, offset) == NO_BLOCK) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
        return NULL;
    }
#endif
    return &pool->base.memory[offset];
}

void tensor_pool_compact(TensorMemPool *pool)
{
    tensor_pool_base_lock(&pool->base);
    join_all(pool);
    tensor_pool_base_unlock(&pool->base);
}

void tensor_pool_stats(const TensorMemPool *pool, TensorPoolStats *stats)
{
    uint32_t run = 0u;

    tensor_pool_base_lock(&pool->base);
    tensor_pool_base_stats(&pool->base, stats);
    /* Blocks that touch count as one: the next allocation may join them. */
    for (uint16_t index = pool->first; index != NO_BLOCK; index = pool->blocks[index].after) {
        run = is_free(pool, index) ? (run + pool->blocks[index].size) : 0u;
        stats->largest = (run > stats->largest) ? run : stats->largest;
    }
    run += pool->base.size - pool->cursor;
    stats->largest = (run > stats->largest) ? run : stats->largest;
    stats->free = pool->base.size - pool->base.used;
    stats->fragmentation = tensor_pool_base_fragmentation(stats->free, stats->largest);
    tensor_pool_base_unlock(&pool->base);
}
