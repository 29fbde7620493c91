/*
 * Random calls of a pool against a model of it: usage `fuzz OPERATIONS SEED`. The model knows which tensor owns each
 * unit of the memory, and counts references, owners and hooks by itself. Exit status 1 with the place of the first
 * disagreement.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"

#define UNIT ((uint32_t)TENSOR_POOL_ALIGNMENT)
#define MEMORY (48u * 1024u)
#define UNITS (MEMORY / UNIT)
#define MOST 96u
#define OWNERS 4u

#define CHECK(what)                                                                       \
    do {                                                                                  \
        if (!(what)) {                                                                    \
            (void)printf("operation %lu, line %d: %s\n", operation, __LINE__, #what);     \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

typedef struct {
    uint32_t offset;
    uint32_t bytes;
    uint32_t references;
    uint16_t owner;
    uint8_t tag;
} Tensor;

_Alignas(4096) static uint8_t memory[MEMORY];
static Pool pool;
static Tensor tensors[MOST];
static uint32_t count;
static uint8_t map[UNITS]; /* 1: a tensor's */
static uint32_t pool_bytes;
static uint32_t asked;
static uint64_t state;
static unsigned long operation;
static uint32_t depth;
static uint32_t crossings;
static uint32_t misuses[3];
static uint32_t expected_misuses[3];
static uint32_t helped;
static uint32_t mark;
static int armed;

static uint32_t chance(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % below);
}

static uint32_t units_of(uint32_t bytes)
{
    return (bytes == 0u) ? 1u : ((bytes + UNIT - 1u) / UNIT);
}

/* Tensors keep the bytes that were written into them. */
static void check_bytes(const Tensor *tensor)
{
    if (tensor->bytes > 0u) {
        const uint8_t *const at = pool_address(&pool, tensor->offset);

        CHECK(at == &memory[tensor->offset]);
        CHECK(at[0] == tensor->tag);
        CHECK(at[tensor->bytes - 1u] == tensor->tag);
        CHECK(at[tensor->bytes / 2u] == tensor->tag);
        CHECK(at[chance(tensor->bytes)] == tensor->tag);
    }
}

static void forget(uint32_t i)
{
    memset(&map[tensors[i].offset / UNIT], 0, units_of(tensors[i].bytes));
    asked -= tensors[i].bytes;
    count--;
    tensors[i] = tensors[count];
}

static void after_giving(void)
{
    if (pool.base.used < mark) {
        armed = 1;
    }
}

static void lock(void *context)
{
    CHECK(context == &pool);
    CHECK(depth == 0u);
    depth++;
}

static void unlock(void *context)
{
    (void)context;
    CHECK(depth == 1u);
    depth--;
}

static void high_water(void *context, uint32_t used)
{
    (void)context;
    CHECK(depth == 0u);
    CHECK(used >= mark);
    crossings++;
}

static void misuse(void *context, TensorPoolMisuse what, uint32_t offset)
{
    (void)context;
    (void)offset;
    CHECK(depth == 0u);
    misuses[what]++;
}

/* Now and then gives a tensor up to let an allocation succeed. */
static int exhausted(void *context, uint32_t bytes, uint32_t attempt)
{
    uint32_t i;

    (void)context;
    (void)bytes;
    CHECK(depth == 0u);
    if ((attempt > 2u) || (count == 0u) || (chance(2u) == 0u)) {
        return 0;
    }
    i = chance(count);
    if (tensors[i].references > 1u) {
        return 0;
    }
    check_bytes(&tensors[i]);
    CHECK(pool_free(&pool, tensors[i].offset) == 1);
    forget(i);
    after_giving();
    helped++;
    return 1;
}

/* The longest run of free units. */
static uint32_t longest_gap(void)
{
    uint32_t run = 0u;
    uint32_t longest = 0u;

    for (uint32_t u = 0u; u < (pool_bytes / UNIT); u++) {
        run = (map[u] == 0u) ? (run + 1u) : 0u;
        longest = (run > longest) ? run : longest;
    }
    return longest * UNIT;
}

/* Statistics say what the model knows. */
static void check_stats(void)
{
    TensorPoolStats stats;

    pool_stats(&pool, &stats);
    CHECK(stats.size == pool_bytes);
    CHECK(stats.asked == asked);
    CHECK(stats.live == count);
    CHECK(stats.peak >= stats.used);
    CHECK((stats.used + stats.free) <= stats.size);
    CHECK(stats.reach <= stats.size);
    CHECK(stats.fragmentation <= 1000u);
#if FORM == 0
    {
        uint32_t used = 0u;

        for (uint32_t i = 0u; i < count; i++) {
            used += units_of(tensors[i].bytes) * UNIT;
        }
        CHECK(stats.used == used);
        CHECK(stats.free == (stats.size - used));
        CHECK(stats.largest == longest_gap());
    }
#else
    CHECK(stats.largest <= longest_gap());
#endif
}

/* An allocation that failed had to. */
static void check_failure(uint32_t bytes)
{
    TensorPoolStats stats;

    pool_stats(&pool, &stats);
#if FORM == 0
    CHECK((count == (uint32_t)TENSOR_POOL_MAX_TENSORS) || (longest_gap() < (units_of(bytes) * UNIT)));
#else
    /* A list holds blocks up to 1/16 larger than its smallest. */
    CHECK(stats.largest < (bytes + (bytes / 16u) + (2u * UNIT)));
#endif
}

static uint32_t some_size(void)
{
    static const uint32_t most[] = {16u, 80u, 300u, 1100u, 4200u, 16000u};

    return chance(40u) == 0u ? 0u : chance(most[chance(6u)]);
}

static void do_alloc(void)
{
    const uint32_t bytes = (chance(2000u) == 0u) ? (UINT32_MAX - chance(64u)) : some_size();
    const uint16_t owner = (uint16_t)chance(OWNERS);
    const uint32_t before = crossings;
    uint32_t offset;

    if (count == MOST) {
        return;
    }
    offset = pool_alloc_as(&pool, bytes, owner);
    if (offset == TENSOR_POOL_NONE) {
        CHECK(crossings == before);
        if (bytes < MEMORY) {
            check_failure(bytes);
        }
        return;
    }
    CHECK((offset % UNIT) == 0u);
    CHECK((bytes <= pool_bytes) && (offset <= (pool_bytes - bytes)));
    for (uint32_t u = 0u; u < units_of(bytes); u++) {
        CHECK(map[(offset / UNIT) + u] == 0u);
        map[(offset / UNIT) + u] = 1u;
    }
    tensors[count] = (Tensor){offset, bytes, 1u, owner, (uint8_t)chance(256u)};
    memset(&memory[offset], tensors[count].tag, bytes);
    count++;
    asked += bytes;
    if ((pool.base.used >= mark) && (armed != 0)) {
        CHECK(crossings == (before + 1u));
        armed = 0;
    } else {
        CHECK(crossings == before);
    }
}

/* An offset where no tensor begins. */
static uint32_t dead_offset(void)
{
    for (;;) {
        const uint32_t offset = (chance(8u) == 0u) ? (UINT32_MAX - chance(64u)) : chance(MEMORY + 64u);
        int live = 0;

        for (uint32_t i = 0u; i < count; i++) {
            live |= tensors[i].offset == offset;
        }
        if (live == 0) {
            return offset;
        }
    }
}

static void do_misuse(void)
{
    const uint32_t offset = dead_offset();

    CHECK(pool_free(&pool, offset) == 0);
    CHECK(pool_release(&pool, offset) == 0);
    CHECK(pool_retain(&pool, offset) == 0u);
    expected_misuses[TENSOR_POOL_NOT_LIVE] += 2u;
    if ((TENSOR_POOL_DEBUG != 0) && (offset < pool_bytes)) {
        CHECK(pool_address(&pool, offset) == NULL);
        expected_misuses[TENSOR_POOL_NOT_LIVE]++;
    }
}

static void do_free(void)
{
    const uint32_t i = (count == 0u) ? 0u : chance(count);

    if (count == 0u) {
        return;
    }
    check_bytes(&tensors[i]);
    if (tensors[i].references > 1u) {
        CHECK(pool_free(&pool, tensors[i].offset) == 0);
        expected_misuses[TENSOR_POOL_STILL_USED]++;
    } else {
        const uint32_t offset = tensors[i].offset;

        CHECK(pool_free(&pool, offset) == 1);
        CHECK(pool_free(&pool, offset) == 0);
        forget(i);
        after_giving();
    }
}

static void do_reference(void)
{
    const uint32_t i = (count == 0u) ? 0u : chance(count);

    if (count == 0u) {
        return;
    }
    if (chance(3u) == 0u) {
        tensors[i].references++;
        CHECK(pool_retain(&pool, tensors[i].offset) == tensors[i].references);
    } else {
        check_bytes(&tensors[i]);
        CHECK(pool_release(&pool, tensors[i].offset) == 1);
        tensors[i].references--;
        if (tensors[i].references == 0u) {
            forget(i);
            after_giving();
        }
    }
}

static void do_end_owner(void)
{
    const uint16_t owner = (uint16_t)chance(OWNERS);
    uint32_t freed = 0u;

    if (owner != 0u) {
        for (uint32_t i = count; i > 0u; i--) {
            if (tensors[i - 1u].owner == owner) {
                tensors[i - 1u].owner = 0u;
                tensors[i - 1u].references--;
                if (tensors[i - 1u].references == 0u) {
                    forget(i - 1u);
                    freed++;
                }
            }
        }
    }
    CHECK(pool_end_owner(&pool, owner) == freed);
    after_giving();
}

static void do_rare(void)
{
    const uint32_t more = chance(4096u);
    TensorPoolStats stats;

    switch (chance(4u)) {
    case 0u:
        if ((more >= UNIT) && ((pool_bytes + more) <= MEMORY)) {
            CHECK(pool_grow(&pool, more) == 1);
            pool_bytes += more - (more % UNIT);
        }
        break;
    case 1u:
        mark = (chance(4u) == 0u) ? TENSOR_POOL_NONE : chance(pool_bytes);
        pool_set_mark(&pool, mark);
        armed = 1;
        break;
    case 2u:
        while (count > 0u) {
            check_bytes(&tensors[0]);
            while (tensors[0].references > 1u) {
                CHECK(pool_release(&pool, tensors[0].offset) == 1);
                tensors[0].references--;
            }
            CHECK(pool_free(&pool, tensors[0].offset) == 1);
            forget(0u);
        }
        after_giving();
        pool_compact(&pool);
        pool_stats(&pool, &stats);
        CHECK(stats.used == 0u);
        CHECK(stats.fragmentation == 0u);
#if FORM == 0
        CHECK(stats.largest == pool_bytes);
#else
        CHECK(stats.free == (pool_bytes - UNIT));
#endif
        break;
    default:
        pool_compact(&pool);
        break;
    }
}

int main(int argc, char **argv)
{
    static const TensorPoolHooks hooks = {lock, unlock, exhausted, high_water, misuse, &pool};
    const unsigned long operations = (argc > 1) ? strtoul(argv[1], NULL, 10) : 100000u;
    const unsigned long seed = (argc > 2) ? strtoul(argv[2], NULL, 10) : 1u;

    state = (seed * 0x9E3779B97F4A7C15u) + 1u;
    memset(memory, 0x55, sizeof memory);
    pool_bytes = 24u * 1024u;
    CHECK(pool_init(&pool, memory, pool_bytes) == 1);
    pool_set_hooks(&pool, &hooks);
    mark = TENSOR_POOL_NONE;
    armed = 1;
    for (operation = 0u; operation < operations; operation++) {
        const uint32_t what = chance(1000u);

        if (what < 480u) {
            do_alloc();
        } else if (what < 800u) {
            do_free();
        } else if (what < 960u) {
            do_reference();
        } else if (what < 980u) {
            do_misuse();
        } else if (what < 990u) {
            check_stats();
        } else if (what < 997u) {
            do_end_owner();
        } else {
            do_rare();
        }
        CHECK(depth == 0u);
    }
    CHECK(helped > 0u);
    if (TENSOR_POOL_DEBUG != 0) {
        CHECK(memcmp(misuses, expected_misuses, sizeof misuses) == 0);
    } else {
        CHECK((misuses[0] + misuses[1] + misuses[2]) == 0u);
    }
    (void)printf("%lu operations agree\n", operations);
    return 0;
}
