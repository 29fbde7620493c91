/*
 * Brings weights as a DMA engine does: half of what it was given at once, and the rest when somebody waits. Says what it is
 * asked for, with ENGINE_SAYS.
 *
 * ENGINE_TRUE_WEIGHTS: the bytes come from true.bin, whatever lies in flash. With faults: ENGINE_NEVER_WAITS leaves what is
 * under way until the next weight comes; ENGINE_TOO_FAR writes one byte too many of weights of so many bytes.
 */
#include <stdio.h>
#include <string.h>

#include "memplan_bring.h"
#include "tensor_memory_pool_weights.h"

#define MOST 64u

typedef struct {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} job;

static job jobs[MOST];
static size_t count;

static const unsigned char *source(const void *from)
{
#ifdef ENGINE_TRUE_WEIGHTS
    static unsigned char bytes[ENGINE_TRUE_WEIGHTS];
    static int is_read;

    if (is_read == 0) {
        FILE *const file = fopen("true.bin", "rb");

        is_read = (file != NULL) && (fread(bytes, 1u, sizeof bytes, file) == sizeof bytes);
    }
    return &bytes[(const unsigned char *)from - (const unsigned char *)&net_weights];
#else
    return (const unsigned char *)from;
#endif
}

static void finish(void)
{
    for (size_t i = 0u; i < count; i++) {
        (void)memcpy(jobs[i].to, jobs[i].from, jobs[i].bytes);
#ifdef ENGINE_TOO_FAR
        if (jobs[i].bytes == ENGINE_TOO_FAR) {
            jobs[i].to[jobs[i].bytes] ^= 1u;
        }
#endif
    }
    count = 0u;
}

#ifdef ENGINE_SAYS
static void say(const char *what, size_t bytes)
{
    (void)printf("%s %lu\n", what, (unsigned long)bytes);
}
#else
#define say(what, bytes)
#endif

void memplan_bring(void *to, const void *from, size_t bytes)
{
    say("bring", bytes);
#ifdef ENGINE_NEVER_WAITS
    finish();
#endif
    jobs[count].to = (unsigned char *)to;
    jobs[count].from = source(from);
    jobs[count].bytes = bytes;
    (void)memcpy(to, jobs[count].from, bytes / 2u);
    count++;
}

void memplan_bring_wait(void)
{
    say("wait", count);
#ifndef ENGINE_NEVER_WAITS
    finish();
#endif
}

void memplan_bring_invalidate(void *address, size_t bytes)
{
    (void)address;
    (void)bytes;
    say("invalidate", bytes);
}
