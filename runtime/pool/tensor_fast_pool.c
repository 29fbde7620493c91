/* The interface of the pool with constant time. */
#include "tensor_fast_blocks.h"

/* References in the low half of a word, the owner in the high one. */
static uint32_t fast_references(const TensorFastPool *pool, uint32_t header)
{
    return fast_word(pool, header, FAST_HOLDERS) & 0xFFFFu;
}

static void fast_hold(TensorFastPool *pool, uint32_t header, uint32_t references, uint32_t owner)
{
    fast_set(pool, header, FAST_HOLDERS, references | (owner << 16));
}

/* The header of the live tensor at an offset; TENSOR_POOL_NONE when there is none. */
static uint32_t fast_live(const TensorFastPool *pool, uint32_t offset)
{
    uint32_t header = offset - FAST_HEADER;
    bool live = false;

    if ((offset >= TENSOR_POOL_UNIT) && (offset < pool->base.size) && ((offset % TENSOR_POOL_UNIT) == 0u)) {
        const uint32_t size = fast_size(pool, header);

        if ((size > 0u) && (size <= ((pool->base.size - FAST_HEADER) - header)) &&
            (fast_kind(pool, header) == FAST_LIVE)) {
            /* Bytes of a tensor may look like a header: what they say is held against the next block. */
            live = fast_word(pool, header + size, FAST_BEFORE) == header;
        }
    }
    return live ? header : TENSOR_POOL_NONE;
}

static void fast_give(TensorFastPool *pool, uint32_t header)
{
    const uint32_t size = fast_size(pool, header);

    tensor_pool_base_gave(&pool->base, fast_word(pool, header, FAST_ASKED), size);
    tensor_pool_base_poison(&pool->base, header + FAST_HEADER, size - FAST_HEADER);
    if ((pool->classes == 0u) || !tensor_fast_class_keep(pool, header)) {
        tensor_fast_block_give(pool, header);
    }
}

/* Takes one reference away. */
static void fast_drop(TensorFastPool *pool, uint32_t header)
{
    const uint32_t references = fast_references(pool, header);

    if (references == 1u) {
        fast_give(pool, header);
    } else {
        fast_hold(pool, header, references - 1u, fast_word(pool, header, FAST_HOLDERS) >> 16);
    }
}

int tensor_fast_pool_init(TensorFastPool *pool, void *memory, uint32_t bytes, int classes)
{
    if ((pool == NULL) || (bytes < (2u * TENSOR_POOL_UNIT)) ||
        (tensor_pool_base_init(&pool->base, memory, bytes) == 0)) {
        return 0;
    }
    tensor_pool_base_poison(&pool->base, 0u, pool->base.size);
    tensor_fast_blocks_init(pool);
    pool->classes = 0u;
    if (classes != 0) {
        pool->classes = 1u;
    }
    for (uint32_t i = 0u; i < TENSOR_FAST_CLASSES; i++) {
        pool->kept[i] = TENSOR_POOL_NONE;
        pool->keeps[i] = 0u;
    }
    return 1;
}

void tensor_fast_pool_set_hooks(TensorFastPool *pool, const TensorPoolHooks *hooks)
{
    tensor_pool_base_set_hooks(&pool->base, hooks);
}

void tensor_fast_pool_set_mark(TensorFastPool *pool, uint32_t bytes)
{
    tensor_pool_base_set_mark(&pool->base, bytes);
}

int tensor_fast_pool_grow(TensorFastPool *pool, uint32_t bytes)
{
    const uint32_t usable = bytes - (bytes % TENSOR_POOL_UNIT);
    int done = 0;

    tensor_pool_base_lock(&pool->base);
    if ((usable != 0u) && (usable < (TENSOR_POOL_NONE - pool->base.size))) {
        tensor_fast_blocks_grow(pool, usable);
        done = 1;
    }
    tensor_pool_base_unlock(&pool->base);
    return done;
}

uint32_t tensor_fast_alloc(TensorFastPool *pool, uint32_t bytes)
{
    return tensor_fast_alloc_as(pool, bytes, 0u);
}

static uint32_t fast_place(TensorFastPool *pool, uint32_t bytes)
{
    const uint32_t least = (bytes == 0u) ? 1u : bytes;
    const uint32_t class_index = (pool->classes != 0u) ? tensor_fast_class_of(least) : TENSOR_FAST_CLASSES;
    const uint32_t size = tensor_pool_base_rounded(least + FAST_HEADER);
    uint32_t header = TENSOR_POOL_NONE;

    if (least >= (pool->base.size - FAST_HEADER)) {
        return TENSOR_POOL_NONE;
    }
    if (class_index < TENSOR_FAST_CLASSES) {
        header = tensor_fast_class_take(pool, class_index);
    } else if (least > TENSOR_FAST_LARGEST_CLASS) {
        tensor_fast_class_reclaim(pool);
    } else {
        /* a block that fits */
    }
    if (header == TENSOR_POOL_NONE) {
        header = tensor_fast_block_take(pool, size);
    }
    if (header == TENSOR_POOL_NONE) {
        tensor_fast_class_reclaim(pool);
        header = tensor_fast_block_take(pool, size);
    }
    return header;
}

/* One attempt, under the lock. */
static uint32_t fast_attempt(TensorFastPool *pool, uint32_t bytes, uint32_t owner, uint32_t *news)
{
    const uint32_t header = fast_place(pool, bytes);
    uint32_t size;

    if (header == TENSOR_POOL_NONE) {
        return TENSOR_POOL_NONE;
    }
    size = fast_size(pool, header);
    fast_set(pool, header, FAST_ASKED, bytes);
    fast_hold(pool, header, 1u, owner);
    *news = tensor_pool_base_took(&pool->base, bytes, size, header + size) |
            tensor_pool_base_written(&pool->base, header + FAST_HEADER, size - FAST_HEADER);
    return header + FAST_HEADER;
}

uint32_t tensor_fast_alloc_as(TensorFastPool *pool, uint32_t bytes, uint16_t owner)
{
    uint32_t offset;
    uint32_t attempt = 0u;
    uint32_t news = 0u;
    int again;

    do {
        tensor_pool_base_lock(&pool->base);
        offset = fast_attempt(pool, bytes, owner, &news);
        tensor_pool_base_unlock(&pool->base);
        again = (offset == TENSOR_POOL_NONE) ? tensor_pool_base_again(&pool->base, bytes, attempt) : 0;
        attempt++;
    } while (again != 0);
    tensor_pool_base_tell(&pool->base, news, offset);
    return offset;
}

int tensor_fast_free(TensorFastPool *pool, uint32_t offset)
{
    uint32_t header;
    int done = 0;
    bool held = false;

    tensor_pool_base_lock(&pool->base);
    header = fast_live(pool, offset);
    if (header != TENSOR_POOL_NONE) {
        held = fast_references(pool, header) > 1u;
        if (!held) {
            fast_give(pool, header);
            done = 1;
        }
    }
    tensor_pool_base_unlock(&pool->base);
    if (held) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_STILL_USED, offset);
    }
    return done;
}

uint32_t tensor_fast_retain(TensorFastPool *pool, uint32_t offset)
{
    uint32_t references = 0u;
    uint32_t header;

    tensor_pool_base_lock(&pool->base);
    header = fast_live(pool, offset);
    if ((header != TENSOR_POOL_NONE) && (fast_references(pool, header) < TENSOR_POOL_MAX_REFERENCES)) {
        references = fast_references(pool, header) + 1u;
        fast_hold(pool, header, references, fast_word(pool, header, FAST_HOLDERS) >> 16);
    }
    tensor_pool_base_unlock(&pool->base);
    if (references == 0u) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
    }
    return references;
}

int tensor_fast_release(TensorFastPool *pool, uint32_t offset)
{
    uint32_t header;

    tensor_pool_base_lock(&pool->base);
    header = fast_live(pool, offset);
    if (header != TENSOR_POOL_NONE) {
        fast_drop(pool, header);
    }
    tensor_pool_base_unlock(&pool->base);
    if (header == TENSOR_POOL_NONE) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
    }
    return header != TENSOR_POOL_NONE;
}

/* Takes the owner's reference from a tensor that is its own. */
static void fast_end_tensor(TensorFastPool *pool, uint32_t header, uint32_t owner)
{
    if ((fast_kind(pool, header) == FAST_LIVE) && ((fast_word(pool, header, FAST_HOLDERS) >> 16) == owner)) {
        fast_hold(pool, header, fast_references(pool, header), 0u);
        fast_drop(pool, header);
    }
}

uint32_t tensor_fast_end_owner(TensorFastPool *pool, uint16_t owner)
{
    uint32_t freed = 0u;

    if (owner != 0u) {
        uint32_t header = FAST_FIRST;
        uint32_t before;

        tensor_pool_base_lock(&pool->base);
        before = pool->base.live;
        /* Blocks that go are joined with those before and behind, so the walk begins anew from a place that stays. */
        while (fast_kind(pool, header) != FAST_END) {
            const uint32_t lower = fast_word(pool, header, FAST_BEFORE);
            const uint32_t live = pool->base.live;

            fast_end_tensor(pool, header, owner);
            if ((pool->base.live != live) && (lower != TENSOR_POOL_NONE) && (fast_kind(pool, lower) == FAST_FREE)) {
                header = lower;
            }
            header += fast_size(pool, header);
        }
        freed = before - pool->base.live;
        tensor_pool_base_unlock(&pool->base);
    }
    return freed;
}

void *tensor_fast_address(const TensorFastPool *pool, uint32_t offset)
{
    if (offset >= pool->base.size) {
        return NULL;
    }
#if TENSOR_POOL_DEBUG
    if (fast_live(pool, offset) == TENSOR_POOL_NONE) {
        tensor_pool_base_misuse(&pool->base, TENSOR_POOL_NOT_LIVE, offset);
        return NULL;
    }
#endif
    return &pool->base.memory[offset];
}

void tensor_fast_pool_compact(TensorFastPool *pool)
{
    tensor_pool_base_lock(&pool->base);
    tensor_fast_class_reclaim(pool);
    tensor_pool_base_unlock(&pool->base);
}

void tensor_fast_pool_stats(const TensorFastPool *pool, TensorPoolStats *stats)
{
    uint32_t header = FAST_FIRST;
    uint32_t whole = 0u;

    tensor_pool_base_lock(&pool->base);
    tensor_pool_base_stats(&pool->base, stats);
    /* Blocks that are kept count as joined with their neighbours: an allocation that needs it has them joined. */
    while (fast_kind(pool, header) != FAST_END) {
        const uint32_t size = fast_size(pool, header);

        if (fast_kind(pool, header) == FAST_LIVE) {
            whole = 0u;
        } else {
            whole += size;
            stats->free += size;
            if (whole > stats->largest) {
                stats->largest = whole;
            }
        }
        header += size;
    }
    stats->fragmentation = tensor_pool_base_fragmentation(stats->free, stats->largest);
    stats->largest = (stats->largest > FAST_HEADER) ? (stats->largest - FAST_HEADER) : 0u;
    tensor_pool_base_unlock(&pool->base);
}
