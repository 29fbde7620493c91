/* Blocks in segregated lists of two levels. Nothing here loops but over bits and TENSOR_FAST_LOOK blocks of a list. */
#include "tensor_fast_blocks.h"

typedef struct {
    uint32_t level;
    uint32_t list;
} Place;

/* The highest bit that is set. The value is not 0. */
static uint32_t highest_bit(uint32_t value)
{
    uint32_t rest = value;
    uint32_t bit = 0u;

    for (uint32_t step = 16u; step > 0u; step /= 2u) {
        if ((rest >> step) != 0u) {
            rest >>= step;
            bit += step;
        }
    }
    return bit;
}

static uint32_t lowest_bit(uint32_t value)
{
    return highest_bit(value & (~value + 1u));
}

/* The list of blocks of this size. */
static Place place_of(uint32_t size)
{
    const uint32_t units = size / TENSOR_POOL_UNIT;
    Place place = {0u, units};

    if (units >= TENSOR_FAST_LISTS) {
        const uint32_t bit = highest_bit(units);

        place.level = (bit - TENSOR_POOL_UNSIGNED(TENSOR_FAST_FINENESS)) + 1u;
        place.list = (units >> (bit - TENSOR_POOL_UNSIGNED(TENSOR_FAST_FINENESS))) - TENSOR_FAST_LISTS;
    }
    return place;
}

/* The next list with free blocks, all of which are larger than those of `place`. Returns false when there is none. */
static bool next_place(const TensorFastPool *pool, Place *place)
{
    const uint32_t here = pool->lists[place->level] & ~((2u << place->list) - 1u);

    if (here != 0u) {
        place->list = lowest_bit(here);
    } else {
        const uint32_t above = pool->levels & ~((2u << place->level) - 1u);

        if (above == 0u) {
            return false;
        }
        place->level = lowest_bit(above);
        place->list = lowest_bit(pool->lists[place->level]);
    }
    return true;
}

/* The smallest of the first blocks of a list that have this size. */
static uint32_t look(const TensorFastPool *pool, Place place, uint32_t size)
{
    uint32_t header = pool->heads[place.level][place.list];
    uint32_t best = TENSOR_POOL_NONE;
    uint32_t best_size = TENSOR_POOL_NONE;

    for (uint32_t i = 0u; (i < TENSOR_POOL_UNSIGNED(TENSOR_FAST_LOOK)) && (header != TENSOR_POOL_NONE); i++) {
        const uint32_t has = fast_size(pool, header);

        if ((has >= size) && (has < best_size)) {
            best = header;
            best_size = has;
        }
        header = fast_word(pool, header, FAST_NEXT);
    }
    return best;
}

static void list_add(TensorFastPool *pool, uint32_t header)
{
    const uint32_t size = fast_size(pool, header);
    const Place place = place_of(size);
    const uint32_t next = pool->heads[place.level][place.list];

    fast_set(pool, header, FAST_NEXT, next);
    fast_set(pool, header, FAST_PREVIOUS, TENSOR_POOL_NONE);
    if (next != TENSOR_POOL_NONE) {
        fast_set(pool, next, FAST_PREVIOUS, header);
    }
    pool->heads[place.level][place.list] = header;
    pool->lists[place.level] |= 1u << place.list;
    pool->levels |= 1u << place.level;
    pool->free += size;
}

static void list_remove(TensorFastPool *pool, uint32_t header)
{
    const uint32_t size = fast_size(pool, header);
    const uint32_t next = fast_word(pool, header, FAST_NEXT);
    const uint32_t previous = fast_word(pool, header, FAST_PREVIOUS);

    if (next != TENSOR_POOL_NONE) {
        fast_set(pool, next, FAST_PREVIOUS, previous);
    }
    if (previous != TENSOR_POOL_NONE) {
        fast_set(pool, previous, FAST_NEXT, next);
    } else {
        const Place place = place_of(size);

        pool->heads[place.level][place.list] = next;
        if (next == TENSOR_POOL_NONE) {
            pool->lists[place.level] &= ~(1u << place.list);
            if (pool->lists[place.level] == 0u) {
                pool->levels &= ~(1u << place.level);
            }
        }
    }
    pool->free -= size;
}

/* Writes a header's size and kind, and tells the block behind it where it begins. */
static void shape_block(TensorFastPool *pool, uint32_t header, uint32_t size, uint32_t kind)
{
    fast_set(pool, header, FAST_SIZE, size | kind);
    fast_set(pool, header + size, FAST_BEFORE, header);
}

void tensor_fast_blocks_init(TensorFastPool *pool)
{
    const uint32_t end = pool->base.size - FAST_HEADER;

    for (uint32_t level = 0u; level < TENSOR_FAST_LEVELS; level++) {
        for (uint32_t list = 0u; list < TENSOR_FAST_LISTS; list++) {
            pool->heads[level][list] = TENSOR_POOL_NONE;
        }
        pool->lists[level] = 0u;
    }
    pool->levels = 0u;
    pool->free = 0u;
    fast_set(pool, end, FAST_SIZE, FAST_END);
    fast_set(pool, FAST_FIRST, FAST_BEFORE, TENSOR_POOL_NONE);
    shape_block(pool, FAST_FIRST, end - FAST_FIRST, FAST_FREE);
    list_add(pool, FAST_FIRST);
}

void tensor_fast_blocks_grow(TensorFastPool *pool, uint32_t bytes)
{
    const uint32_t header = pool->base.size - FAST_HEADER;

    tensor_pool_base_poison(&pool->base, pool->base.size, bytes);
    pool->base.size += bytes;
    fast_set(pool, pool->base.size - FAST_HEADER, FAST_SIZE, FAST_END);
    shape_block(pool, header, bytes, FAST_LIVE);
    tensor_fast_block_give(pool, header);
}

uint32_t tensor_fast_block_take(TensorFastPool *pool, uint32_t size)
{
    Place place = place_of(size);
    uint32_t header = look(pool, place, size);
    uint32_t rest;

    if (header == TENSOR_POOL_NONE) {
        if (!next_place(pool, &place)) {
            return TENSOR_POOL_NONE;
        }
        header = look(pool, place, size);
    }
    list_remove(pool, header);
    rest = fast_size(pool, header) - size;
    if (rest != 0u) {
        shape_block(pool, header + size, rest, FAST_FREE);
        list_add(pool, header + size);
    }
    shape_block(pool, header, size, FAST_LIVE);
    return header;
}

void tensor_fast_block_give(TensorFastPool *pool, uint32_t header)
{
    const uint32_t size = fast_size(pool, header);
    const uint32_t after = header + size;
    const uint32_t before = fast_word(pool, header, FAST_BEFORE);
    uint32_t start = header;
    uint32_t whole = size;

    /* The header may end up inside a larger block: what it says must not look alive there. */
    fast_set(pool, header, FAST_SIZE, 0u);
    if (fast_kind(pool, after) == FAST_FREE) {
        list_remove(pool, after);
        whole += fast_size(pool, after);
        tensor_pool_base_poison(&pool->base, after, FAST_HEADER);
    }
    if ((before != TENSOR_POOL_NONE) && (fast_kind(pool, before) == FAST_FREE)) {
        list_remove(pool, before);
        whole += fast_size(pool, before);
        tensor_pool_base_poison(&pool->base, header, FAST_HEADER);
        start = before;
    }
    shape_block(pool, start, whole, FAST_FREE);
    list_add(pool, start);
}
