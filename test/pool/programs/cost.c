/*
 * The instructions that calls take, on a Cortex-M under `qemu -icount shift=5`: there an instruction takes 32 ns
 * and SysTick counts 40 ns, whatever the host does. Random tensors come and go, first a few, then as many as may be,
 * then more than fit. Prints for each: tensors live at most, and the instructions of an allocation and a release, at most
 * and in the mean.
 */
#include "form.h"
#include "platform.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_VALUE (*(volatile uint32_t *)0xE000E018u)
#define MOST 200u
#define CALLS 20000u

__attribute__((section(".bss.memplan.axisram"), aligned(64))) static uint8_t memory[256u * 1024u];
static Pool pool;
static uint32_t offsets[MOST];
static uint32_t random_state = 12345u;

static uint32_t chance(uint32_t below)
{
    random_state = (random_state * 1664525u) + 1013904223u;
    return (random_state >> 8) % below;
}

static uint32_t instructions(uint32_t from, uint32_t to)
{
    return ((((from - to) & 0xFFFFFFu) * 5u) + 3u) / 4u;
}

/* Two readings of the clock with nothing between them. */
static uint32_t nothing(void)
{
    const uint32_t from = SYSTICK_VALUE;
    const uint32_t to = SYSTICK_VALUE;

    return instructions(from, to);
}

static void measure(uint32_t most, uint32_t largest)
{
    const uint32_t overhead = nothing();
    uint32_t live = 0u;
    uint32_t peak = 0u;
    uint32_t alloc = 0u;
    uint32_t release = 0u;
    uint32_t allocs = 0u;
    uint32_t releases = 0u;
    uint32_t all_allocs = 0u;
    uint32_t all_releases = 0u;

    (void)pool_init(&pool, memory, sizeof memory);
    for (uint32_t call = 0u; call < CALLS; call++) {
        /* Waves: the pool fills and empties again. */
        const uint32_t wanted = ((call / (4u * most)) % 2u == 0u) ? 70u : 30u;

        if ((chance(100u) < wanted) && (live < most)) {
            const uint32_t bytes = chance(largest) >> chance(7u);
            const uint32_t from = SYSTICK_VALUE;
            const uint32_t offset = pool_alloc(&pool, bytes);
            const uint32_t took = instructions(from, SYSTICK_VALUE) - overhead;

            alloc = (took > alloc) ? took : alloc;
            all_allocs += took;
            allocs++;
            if (offset != TENSOR_POOL_NONE) {
                offsets[live] = offset;
                live++;
            }
        } else if (live > 0u) {
            const uint32_t i = chance(live);
            const uint32_t from = SYSTICK_VALUE;
            const int done = pool_release(&pool, offsets[i]);
            const uint32_t took = instructions(from, SYSTICK_VALUE) - overhead;

            release = (took > release) ? took : release;
            all_releases += took;
            releases++;
            live--;
            offsets[i] = offsets[live];
            if (done != 1) {
                say("release failed\n");
            }
        } else {
            /* nothing is live and nothing is wanted */
        }
        peak = (live > peak) ? live : peak;
    }
    say_number("live ", peak);
    say_number("alloc ", alloc);
    say_number("release ", release);
    say_number("mean alloc ", all_allocs / allocs);
    say_number("mean release ", all_releases / releases);
}

int main(void)
{
    SYSTICK_RELOAD = 0xFFFFFFu;
    SYSTICK_VALUE = 0u;
    SYSTICK_CONTROL = 5u;
    measure(8u, 4096u);
    measure(MOST, 1024u);
    measure(MOST, 16384u);
    return 0;
}
