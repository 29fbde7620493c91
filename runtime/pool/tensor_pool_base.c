/* Bookkeeping, hooks and poison of the pools. Constant time but for poison, which takes time by the byte. */
#include "tensor_pool_base.h"

#include <string.h>

#if TENSOR_POOL_DEBUG
/* What free bytes hold. */
#define POISON 0xDDu
#endif

int tensor_pool_base_init(TensorPoolBase *base, void *memory, uint32_t bytes)
{
    const uint32_t usable = bytes - (bytes % TENSOR_POOL_UNIT);
    uint8_t *const start = (uint8_t *)memory;

    if ((base == NULL) || (start == NULL) || (usable == 0u) || (((uintptr_t)start % TENSOR_POOL_UNIT) != 0u)) {
        return 0;
    }
    (void)memset(base, 0, sizeof *base);
    base->memory = start;
    base->size = usable;
    base->mark = TENSOR_POOL_NONE;
    return 1;
}

void tensor_pool_base_set_hooks(TensorPoolBase *base, const TensorPoolHooks *hooks)
{
    if (hooks == NULL) {
        (void)memset(&base->hooks, 0, sizeof base->hooks);
    } else {
        base->hooks = *hooks;
    }
}

void tensor_pool_base_lock(const TensorPoolBase *base)
{
    if (base->hooks.lock != NULL) {
        base->hooks.lock(base->hooks.context);
    }
}

void tensor_pool_base_unlock(const TensorPoolBase *base)
{
    if (base->hooks.unlock != NULL) {
        base->hooks.unlock(base->hooks.context);
    }
}

void tensor_pool_base_set_mark(TensorPoolBase *base, uint32_t bytes)
{
    tensor_pool_base_lock(base);
    base->mark = bytes;
    base->above = 0u;
    tensor_pool_base_unlock(base);
}

uint32_t tensor_pool_base_took(TensorPoolBase *base, uint32_t asked, uint32_t used, uint32_t end)
{
    uint32_t news = 0u;

    base->asked += asked;
    base->used += used;
    base->live++;
    if (base->used > base->peak) {
        base->peak = base->used;
    }
    if (end > base->reach) {
        base->reach = end;
    }
    if ((base->used >= base->mark) && (base->above == 0u)) {
        base->above = 1u;
        news = TENSOR_POOL_CROSSED;
    }
    return news;
}

void tensor_pool_base_gave(TensorPoolBase *base, uint32_t asked, uint32_t used)
{
    base->asked -= asked;
    base->used -= used;
    base->live--;
    if (base->used < base->mark) {
        base->above = 0u;
    }
}

int tensor_pool_base_again(TensorPoolBase *base, uint32_t bytes, uint32_t attempt)
{
    int again = 0;

    if (base->hooks.exhausted != NULL) {
        again = base->hooks.exhausted(base->hooks.context, bytes, attempt);
    }
    if (again == 0) {
        tensor_pool_base_lock(base);
        base->failures++;
        tensor_pool_base_unlock(base);
    }
    return again;
}

void tensor_pool_base_tell(const TensorPoolBase *base, uint32_t news, uint32_t offset)
{
    if (((news & TENSOR_POOL_CROSSED) != 0u) && (base->hooks.high_water != NULL)) {
        base->hooks.high_water(base->hooks.context, base->used);
    }
    if ((news & TENSOR_POOL_WRITTEN) != 0u) {
        tensor_pool_base_misuse(base, TENSOR_POOL_OVERWRITTEN, offset);
    }
}

void tensor_pool_base_misuse(const TensorPoolBase *base, TensorPoolMisuse what, uint32_t offset)
{
#if TENSOR_POOL_DEBUG
    if (base->hooks.misuse != NULL) {
        base->hooks.misuse(base->hooks.context, what, offset);
    }
#else
    (void)base;
    (void)what;
    (void)offset;
#endif
}

void tensor_pool_base_stats(const TensorPoolBase *base, TensorPoolStats *stats)
{
    (void)memset(stats, 0, sizeof *stats);
    stats->size = base->size;
    stats->asked = base->asked;
    stats->used = base->used;
    stats->peak = base->peak;
    stats->reach = base->reach;
    stats->live = base->live;
    stats->failures = base->failures;
}

uint32_t tensor_pool_base_fragmentation(uint32_t free_bytes, uint32_t largest)
{
    const uint32_t outside = free_bytes - largest;

    if (free_bytes == 0u) {
        return 0u;
    }
    /* Without a division of 64 bits, which small cores have in a library alone. */
    return (outside <= (UINT32_MAX / 1000u)) ? ((outside * 1000u) / free_bytes) : (outside / (free_bytes / 1000u));
}

void tensor_pool_base_poison(const TensorPoolBase *base, uint32_t offset, uint32_t bytes)
{
#if TENSOR_POOL_DEBUG
    (void)memset(&base->memory[offset], (int)POISON, bytes);
#else
    (void)base;
    (void)offset;
    (void)bytes;
#endif
}

uint32_t tensor_pool_base_written(const TensorPoolBase *base, uint32_t offset, uint32_t bytes)
{
    uint32_t news = 0u;

#if TENSOR_POOL_DEBUG
    for (uint32_t i = 0u; i < bytes; i++) {
        if (base->memory[offset + i] != POISON) {
            news = TENSOR_POOL_WRITTEN;
        }
    }
#else
    (void)base;
    (void)offset;
    (void)bytes;
#endif
    return news;
}

uint32_t tensor_pool_base_rounded(uint32_t bytes)
{
    const uint32_t least = (bytes == 0u) ? 1u : bytes;

    if (least > (UINT32_MAX - TENSOR_POOL_UNIT)) {
        return TENSOR_POOL_NONE;
    }
    return ((least + TENSOR_POOL_UNIT) - 1u) & ~(TENSOR_POOL_UNIT - 1u);
}
