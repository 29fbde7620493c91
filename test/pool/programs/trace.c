/*
 * Replays allocations from a file: lines `a ID BYTES` and `f ID`, a byte count in front for the pool's memory.
 * Prints what was live at the peak, how far the pool reached, and both kinds of fragmentation, averaged over the
 * moments after each line, in millionths:
 *
 *   internal  1 - bytes asked for / bytes occupied
 *   external  1 - bytes occupied / bytes up to the end of the highest tensor
 *
 * and, averaged over the moments before each allocation, `lost`: the part of the bytes up to the end of the highest
 * tensor that is free, but in pieces that cannot serve this allocation: too small, or kept for other sizes.
 *
 * FORM 3 is the pool that one writes first, to compare with: the best of the free blocks is used whole, blocks are
 * never joined, and the cursor never goes back.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 20000u

typedef struct {
    uint32_t offset;
    uint32_t bytes;
} Live;

#if FORM < 3
#include "form.h"
#include "tensor_fast_blocks.h"

static Pool pool;

static uint32_t take(uint32_t bytes)
{
    return pool_alloc(&pool, bytes);
}

static void give(uint32_t offset)
{
    if (pool_free(&pool, offset) != 1) {
        abort();
    }
}

static uint32_t occupied(void)
{
    return pool.base.used;
}
#else

#define TENSOR_POOL_NONE UINT32_MAX

static struct {
    uint32_t offset;
    uint32_t size;
    int live;
} blocks[MOST];
static uint32_t block_count;
static uint32_t cursor;
static uint32_t used;

static uint32_t take(uint32_t bytes)
{
    const uint32_t size = (((bytes == 0u) ? 1u : bytes) + 15u) & ~15u;
    uint32_t best = MOST;

    for (uint32_t i = 0u; i < block_count; i++) {
        if ((blocks[i].live == 0) && (blocks[i].size >= size) &&
            ((best == MOST) || (blocks[i].size < blocks[best].size))) {
            best = i;
        }
    }
    if (best == MOST) {
        best = block_count++;
        blocks[best].offset = cursor;
        blocks[best].size = size;
        cursor += size;
    }
    blocks[best].live = 1;
    used += blocks[best].size;
    return blocks[best].offset;
}

static void give(uint32_t offset)
{
    for (uint32_t i = 0u; i < block_count; i++) {
        if (blocks[i].offset == offset) {
            blocks[i].live = 0;
            used -= blocks[i].size;
        }
    }
}

static uint32_t occupied(void)
{
    return used;
}
#endif

static Live live[MOST];

#if (FORM == 1) || (FORM == 2)
/* Walks the blocks; what lies behind the highest tensor is not lost. */
static uint32_t lost_to(uint32_t bytes, uint32_t end, unsigned long ids)
{
    const uint32_t class_index = (FORM == 2) ? tensor_fast_class_of(bytes) : TENSOR_FAST_CLASSES;
    const uint32_t needed = (class_index < TENSOR_FAST_CLASSES) ? tensor_fast_class_size(class_index)
                                                                : tensor_pool_base_rounded(bytes + FAST_HEADER);
    uint32_t lost = 0u;

    (void)ids;
    if ((FORM == 2) && (bytes > TENSOR_FAST_LARGEST_CLASS)) {
        tensor_fast_pool_compact(&pool); /* as the allocation will do first */
    }
    for (uint32_t at = FAST_FIRST; (at < end) && (fast_kind(&pool, at) != FAST_END); at += fast_size(&pool, at)) {
        const uint32_t size = fast_size(&pool, at);
        const uint32_t kind = fast_kind(&pool, at);

        if (((kind == FAST_FREE) && (size < needed)) || ((kind == FAST_KEPT) && (size != needed))) {
            lost += size;
        }
    }
    return lost;
}
#else
/* Looks at what lies between tensors. */
static uint32_t lost_to(uint32_t bytes, uint32_t end, unsigned long ids)
{
    const uint32_t needed = (((bytes == 0u) ? 1u : bytes) + 15u) & ~15u;
    uint32_t lost = 0u;
    uint32_t at = 0u;

    while (at < end) {
        uint32_t next = end;
        uint32_t over = at;

        for (unsigned long i = 0u; i < ids; i++) {
            const uint32_t size = (((live[i].bytes <= 1u) ? 1u : (live[i].bytes - 1u)) + 15u) & ~15u;

            if (live[i].bytes == 0u) {
                continue;
            }
            if ((live[i].offset <= at) && ((live[i].offset + size) > over)) {
                over = live[i].offset + size;
            } else if ((live[i].offset > at) && (live[i].offset < next)) {
                next = live[i].offset;
            }
        }
        if (over > at) {
            at = over;
        } else {
            lost += ((next - at) < needed) ? (next - at) : 0u;
            at = next;
        }
    }
    return lost;
}
#endif

static uint32_t highest_end(unsigned long ids)
{
    uint32_t end = 0u;

    for (unsigned long i = 0u; i < ids; i++) {
        if ((live[i].bytes != 0u) && ((live[i].offset + live[i].bytes - 1u) > end)) {
            end = live[i].offset + live[i].bytes - 1u;
        }
    }
    return end;
}

int main(int argc, char **argv)
{
    FILE *const file = (argc > 1) ? fopen(argv[1], "r") : NULL;
    unsigned long ids = 0u;
    unsigned long memory_bytes;
    unsigned long id;
    unsigned long bytes;
    char kind;
    uint32_t asked = 0u;
    uint32_t peak_asked = 0u;
    uint32_t reach = 0u;
    double internal = 0.0;
    double external = 0.0;
    double lost = 0.0;
    unsigned long moments = 0u;
    unsigned long requests = 0u;

    if ((file == NULL) || (fscanf(file, "%lu", &memory_bytes) != 1)) {
        return 2;
    }
#if FORM < 3
    if (pool_init(&pool, aligned_alloc(4096u, memory_bytes), (uint32_t)memory_bytes) != 1) {
        return 2;
    }
#endif
    while (fscanf(file, " %c %lu", &kind, &id) == 2) {
        uint32_t end;

        if (id >= MOST) {
            return 2;
        }
        if (kind == 'a') {
            ids = (id >= ids) ? (id + 1u) : ids;
            if (fscanf(file, "%lu", &bytes) != 1) {
                return 2;
            }
            end = highest_end(ids);
            if (end > 0u) {
                lost += (double)lost_to((uint32_t)bytes, end, ids) / (double)end;
                requests++;
            }
            live[id].bytes = (uint32_t)bytes + 1u;
            live[id].offset = take((uint32_t)bytes);
            if (live[id].offset == TENSOR_POOL_NONE) {
                (void)printf("no memory\n");
                return 1;
            }
            asked += (uint32_t)bytes;
        } else {
            give(live[id].offset);
            asked -= live[id].bytes - 1u;
            live[id].bytes = 0u;
        }
        end = highest_end(ids);
        peak_asked = (asked > peak_asked) ? asked : peak_asked;
        reach = (end > reach) ? end : reach;
        if (occupied() > 0u) {
            internal += 1.0 - ((double)asked / (double)occupied());
            external += (end > occupied()) ? (1.0 - ((double)occupied() / (double)end)) : 0.0;
            moments++;
        }
    }
    (void)printf("%u %u %.0f %.0f %.0f\n", peak_asked, reach, 1e6 * internal / (double)moments,
                 1e6 * external / (double)moments, 1e6 * lost / (double)requests);
    return 0;
}
