/*
 * What the pools have in common: settings, hooks, statistics, and the bookkeeping behind them.
 *
 * Pools give out memory for what no plan can know: tensors whose sizes depend on data. They need no C library but
 * memset, allocate nothing themselves, and know no threads: locking is done by hooks. Which calls take constant time
 * is said at each.
 */
#ifndef TENSOR_POOL_BASE_H
#define TENSOR_POOL_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup tensor_pool_base Settings, hooks and statistics of pools
 * @{
 */

/*
 * Settings: plain numbers, given to the compiler for the whole firmware (-DTENSOR_POOL_MAX_TENSORS=128). The names
 * that the linker matches carry them: files that were compiled with different ones do not link.
 */

/** Offsets and sizes are multiples of it: a power of two, at least 16. */
#ifndef TENSOR_POOL_ALIGNMENT
#define TENSOR_POOL_ALIGNMENT 16
#endif

/** 1: free bytes hold a pattern, and misuse is looked for and reported. Costs time in proportion to the bytes. */
#ifndef TENSOR_POOL_DEBUG
#define TENSOR_POOL_DEBUG 0
#endif

/* A setting as an unsigned number. */
#define TENSOR_POOL_PASTE_U_(number) number##u
#define TENSOR_POOL_UNSIGNED(setting) TENSOR_POOL_PASTE_U_(setting)

#if (TENSOR_POOL_ALIGNMENT < 16) || ((TENSOR_POOL_ALIGNMENT & (TENSOR_POOL_ALIGNMENT - 1)) != 0)
#error "TENSOR_POOL_ALIGNMENT must be a power of two, and at least 16"
#endif

/** In place of an offset: there was no memory. */
#define TENSOR_POOL_NONE UINT32_MAX

/** The most references that a tensor can have. */
#define TENSOR_POOL_MAX_REFERENCES 0xFFFFu

/** What a debug build reports. */
typedef enum {
    TENSOR_POOL_NOT_LIVE,   /* retained, released or addressed, but not (or no longer) allocated */
    TENSOR_POOL_STILL_USED, /* freed, but others hold references */
    TENSOR_POOL_OVERWRITTEN /* free bytes were written: use after free, or a write beyond a tensor's end */
} TensorPoolMisuse;

/** What the firmware can do for a pool; any of them may be null. None but lock and unlock is called under the lock. */
typedef struct {
    void (*lock)(void *context);
    void (*unlock)(void *context);
    /**
     * There is no block of so many bytes. A return other than 0 asks for another attempt, after tensors were freed or
     * the pool was grown; 0 lets the call fail. `attempt` counts from 0.
     */
    int (*exhausted)(void *context, uint32_t bytes, uint32_t attempt);
    /** The bytes in use have crossed the mark. It is called again only after they were below it. */
    void (*high_water)(void *context, uint32_t used);
    /** In debug builds. `offset` is where. */
    void (*misuse)(void *context, TensorPoolMisuse what, uint32_t offset);
    void *context;
} TensorPoolHooks;

typedef struct {
    uint32_t size;     /* bytes that the pool manages */
    uint32_t asked;    /* bytes that live tensors asked for */
    uint32_t used;     /* bytes that they occupy, rounding and headers included */
    uint32_t peak;     /* the most that `used` has been */
    uint32_t reach;    /* the highest address that was ever given out, as a distance from the pool's start */
    uint32_t live;     /* tensors */
    uint32_t failures; /* allocations that found no memory */
    uint32_t free;     /* bytes in free blocks */
    uint32_t largest;  /* the largest tensor that would fit now */
    uint32_t fragmentation; /* of the free bytes those outside the largest free block, in thousandths */
} TensorPoolStats;

/** The part of every pool that its hooks and statistics need. Not to be touched by the firmware. */
typedef struct {
    uint8_t *memory;
    uint32_t size;
    uint32_t asked;
    uint32_t used;
    uint32_t peak;
    uint32_t reach;
    uint32_t live;
    uint32_t failures;
    uint32_t mark;
    uint32_t above; /* 1: the mark was crossed, and the hook was or will be called */
    TensorPoolHooks hooks;
} TensorPoolBase;

/** @} */

/* For the pools alone. */

#define TENSOR_POOL_JOIN_(name, a, b, c) name##_##a##_##b##_##c
/* A name for the linker that carries settings. */
#define TENSOR_POOL_LINK_NAME(name, a, b, c) TENSOR_POOL_JOIN_(name, a, b, c)

#define TENSOR_POOL_UNIT TENSOR_POOL_UNSIGNED(TENSOR_POOL_ALIGNMENT)

/** Returns 0, changing nothing, when the memory is null, not aligned or less than one unit. */
int tensor_pool_base_init(TensorPoolBase *base, void *memory, uint32_t bytes);
/** Null: none. */
void tensor_pool_base_set_hooks(TensorPoolBase *base, const TensorPoolHooks *hooks);
void tensor_pool_base_lock(const TensorPoolBase *base);
void tensor_pool_base_unlock(const TensorPoolBase *base);
/** Under the lock. The mark counts as not yet crossed. */
void tensor_pool_base_set_mark(TensorPoolBase *base, uint32_t bytes);
/** What an allocation has to tell: the mark was crossed, the bytes had been written while they were free. */
#define TENSOR_POOL_CROSSED 1u
#define TENSOR_POOL_WRITTEN 2u
/** Books a tensor that occupies `used` bytes and ends at `end`. Returns what there is to tell. */
uint32_t tensor_pool_base_took(TensorPoolBase *base, uint32_t asked, uint32_t used, uint32_t end);
void tensor_pool_base_gave(TensorPoolBase *base, uint32_t asked, uint32_t used);
/** Notes a failure, and asks the hook whether to try again. Called without the lock. */
int tensor_pool_base_again(TensorPoolBase *base, uint32_t bytes, uint32_t attempt);
/** Tells the hooks what an allocation found. Called without the lock. */
void tensor_pool_base_tell(const TensorPoolBase *base, uint32_t news, uint32_t offset);
void tensor_pool_base_misuse(const TensorPoolBase *base, TensorPoolMisuse what, uint32_t offset);
/** The statistics, but for `free`, `largest` and `fragmentation`. */
void tensor_pool_base_stats(const TensorPoolBase *base, TensorPoolStats *stats);
/** In thousandths. */
uint32_t tensor_pool_base_fragmentation(uint32_t free_bytes, uint32_t largest);
/** Debug builds: gives free bytes their pattern. */
void tensor_pool_base_poison(const TensorPoolBase *base, uint32_t offset, uint32_t bytes);
/** Debug builds: TENSOR_POOL_WRITTEN where free bytes have lost their pattern; else 0. */
uint32_t tensor_pool_base_written(const TensorPoolBase *base, uint32_t offset, uint32_t bytes);
/** Bytes rounded up to the alignment, at least one unit; TENSOR_POOL_NONE when that is beyond counting. */
uint32_t tensor_pool_base_rounded(uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif
