/*
 * Slabs of equal blocks for small tensors. A slab is a block of the large zone; behind its header follow four words,
 * and from the next unit on its blocks. Slabs that have a free block are in the list of their class; of those without
 * a tensor one is kept, so that a tensor that comes and goes costs no slab each time.
 */
#include "tensor_fast_blocks.h"

/* Words of a slab, behind its header. */
#define SLAB_FREE 16u /* its first free block */
#define SLAB_USED 20u /* tensors in it */
#define SLAB_NEXT 24u
#define SLAB_PREVIOUS 28u
#define SLAB_HEAD 32u

#define SLAB_BLOCKS (TENSOR_POOL_UNSIGNED(TENSOR_FAST_SLAB))

static uint32_t class_bytes(uint32_t class_index)
{
    return 64u << (2u * class_index);
}

/* From one block of a slab to the next. */
static uint32_t stride_of(uint32_t class_index)
{
    return tensor_pool_base_rounded(class_bytes(class_index) + FAST_HEADER);
}

/* From a slab's header to that of its first block: a multiple of the unit. */
static uint32_t slab_head(void)
{
    return tensor_pool_base_rounded(SLAB_HEAD);
}

uint32_t tensor_fast_class_block(const TensorFastPool *pool, uint32_t slab, uint32_t n)
{
    return slab + slab_head() + (n * stride_of(fast_word(pool, slab, FAST_ASKED)));
}

uint32_t tensor_fast_class_of(uint32_t bytes)
{
    uint32_t class_index = 0u;

    while ((class_index < TENSOR_FAST_CLASSES) && (class_bytes(class_index) < bytes)) {
        class_index++;
    }
    if ((class_index < TENSOR_FAST_CLASSES) &&
        (((class_bytes(class_index) - bytes) * 100u) > (class_bytes(class_index) * TENSOR_POOL_UNSIGNED(TENSOR_FAST_WASTE)))) {
        class_index = TENSOR_FAST_CLASSES;
    }
    return class_index;
}

static void slab_link(TensorFastPool *pool, uint32_t slab, uint32_t class_index)
{
    const uint32_t next = pool->slabs[class_index];

    fast_set(pool, slab, SLAB_NEXT, next);
    fast_set(pool, slab, SLAB_PREVIOUS, TENSOR_POOL_NONE);
    if (next != TENSOR_POOL_NONE) {
        fast_set(pool, next, SLAB_PREVIOUS, slab);
    }
    pool->slabs[class_index] = slab;
}

static void slab_unlink(TensorFastPool *pool, uint32_t slab, uint32_t class_index)
{
    const uint32_t next = fast_word(pool, slab, SLAB_NEXT);
    const uint32_t previous = fast_word(pool, slab, SLAB_PREVIOUS);

    if (next != TENSOR_POOL_NONE) {
        fast_set(pool, next, SLAB_PREVIOUS, previous);
    }
    if (previous != TENSOR_POOL_NONE) {
        fast_set(pool, previous, SLAB_NEXT, next);
    } else {
        pool->slabs[class_index] = next;
    }
}

/* A new slab with all its blocks free. */
static uint32_t slab_make(TensorFastPool *pool, uint32_t class_index)
{
    const uint32_t stride = stride_of(class_index);
    const uint32_t slab = tensor_fast_block_take(pool, slab_head() + (SLAB_BLOCKS * stride), FAST_SLAB);
    uint32_t next = TENSOR_POOL_NONE;

    if (slab != TENSOR_POOL_NONE) {
        fast_set(pool, slab, FAST_ASKED, class_index);
        for (uint32_t n = SLAB_BLOCKS; n > 0u; n--) {
            const uint32_t block = tensor_fast_class_block(pool, slab, n - 1u);

            fast_set(pool, block, FAST_BEFORE, slab);
            fast_set(pool, block, FAST_SIZE, stride | FAST_IDLE);
            fast_set(pool, block, FAST_NEXT, next);
            next = block;
        }
        fast_set(pool, slab, SLAB_FREE, next);
        fast_set(pool, slab, SLAB_USED, 0u);
        slab_link(pool, slab, class_index);
    }
    return slab;
}

uint32_t tensor_fast_class_take(TensorFastPool *pool, uint32_t class_index)
{
    uint32_t slab = pool->slabs[class_index];
    uint32_t block = TENSOR_POOL_NONE;

    if (slab == TENSOR_POOL_NONE) {
        slab = slab_make(pool, class_index);
    }
    if (slab != TENSOR_POOL_NONE) {
        block = fast_word(pool, slab, SLAB_FREE);
        fast_set(pool, slab, SLAB_FREE, fast_word(pool, block, FAST_NEXT));
        fast_set(pool, slab, SLAB_USED, fast_word(pool, slab, SLAB_USED) + 1u);
        fast_set(pool, block, FAST_SIZE, stride_of(class_index) | FAST_TAKEN);
        if (fast_word(pool, slab, SLAB_FREE) == TENSOR_POOL_NONE) {
            slab_unlink(pool, slab, class_index);
        }
        if (pool->empty[class_index] == slab) {
            pool->empty[class_index] = TENSOR_POOL_NONE;
        }
    }
    return block;
}

static void slab_give(TensorFastPool *pool, uint32_t slab, uint32_t class_index)
{
    slab_unlink(pool, slab, class_index);
    tensor_fast_block_give(pool, slab);
}

void tensor_fast_class_give(TensorFastPool *pool, uint32_t header)
{
    const uint32_t slab = fast_word(pool, header, FAST_BEFORE);
    const uint32_t class_index = fast_word(pool, slab, FAST_ASKED);
    const uint32_t used = fast_word(pool, slab, SLAB_USED) - 1u;
    const uint32_t stride = stride_of(class_index);

    tensor_pool_base_poison(&pool->base, header + FAST_HEADER, stride - FAST_HEADER);
    if (fast_word(pool, slab, SLAB_FREE) == TENSOR_POOL_NONE) {
        slab_link(pool, slab, class_index);
    }
    fast_set(pool, header, FAST_SIZE, stride | FAST_IDLE);
    fast_set(pool, header, FAST_NEXT, fast_word(pool, slab, SLAB_FREE));
    fast_set(pool, slab, SLAB_FREE, header);
    fast_set(pool, slab, SLAB_USED, used);
    if (used == 0u) {
        if (pool->empty[class_index] != TENSOR_POOL_NONE) {
            slab_give(pool, pool->empty[class_index], class_index);
        }
        pool->empty[class_index] = slab;
    }
}

void tensor_fast_class_reclaim(TensorFastPool *pool)
{
    for (uint32_t class_index = 0u; class_index < TENSOR_FAST_CLASSES; class_index++) {
        if (pool->empty[class_index] != TENSOR_POOL_NONE) {
            slab_give(pool, pool->empty[class_index], class_index);
            pool->empty[class_index] = TENSOR_POOL_NONE;
        }
    }
}

bool tensor_fast_class_holds(const TensorFastPool *pool, uint32_t header)
{
    const uint32_t slab = fast_word(pool, header, FAST_BEFORE);
    uint32_t first;
    uint32_t stride;

    /* Bytes of a tensor may look like a header: whatever they say is held against the slab itself. */
    if ((slab >= header) || ((slab % TENSOR_POOL_UNIT) != FAST_FIRST) || (fast_kind(pool, slab) != FAST_SLAB) ||
        (fast_word(pool, slab, FAST_ASKED) >= TENSOR_FAST_CLASSES)) {
        return false;
    }
    first = slab + slab_head();
    stride = stride_of(fast_word(pool, slab, FAST_ASKED));
    return (header >= first) && (((header - first) % stride) == 0u) && (((header - first) / stride) < SLAB_BLOCKS);
}
