/*
 * Runs the network once: fills the input from a file or with a pattern, prints the first numbers of the output, and
 * writes all of it to another file.
 *
 *   net [INPUT [OUTPUT]]
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "net_runner.h"

#define HUGE_PAGE ((size_t)2u << 20)
#define MOST_PRINTED 12u

/*
 * Memory for the arena, aligned to huge pages so that the kernel may use them: from the reserved ones when there are
 * any (vm.nr_hugepages), else ordinary memory with the wish for them. Exits when there is none.
 */
static void *arena_memory(size_t bytes)
{
    void *memory = MAP_FAILED;

#ifdef MAP_HUGETLB
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
#endif
    if (memory == MAP_FAILED) {
        if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0) {
            (void)fprintf(stderr, "there are no %lu bytes for the arena\n", (unsigned long)bytes);
            exit(EXIT_FAILURE);
        }
#ifdef MADV_HUGEPAGE
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    }
    /* Keeps page faults out of the run. Without the right to do so (ulimit -l) the first run is slower. */
    if (mlock(memory, bytes) != 0) {
        perror("the arena is not locked");
    }
    return memory;
}

static int read_input(const char *name)
{
    FILE *const file = fopen(name, "rb");
    size_t count = 0u;

    if (file != NULL) {
        count = fread(net_input_0(), 1u, NET_INPUT_0_SIZE, file);
        (void)fclose(file);
    }
    return count == NET_INPUT_0_SIZE;
}

static int write_output(const char *name)
{
    FILE *const file = fopen(name, "wb");
    size_t count = 0u;

    if (file != NULL) {
        count = fwrite(net_output_0(), 1u, NET_OUTPUT_0_SIZE, file);
        if (fclose(file) != 0) {
            count = 0u;
        }
    }
    return count == NET_OUTPUT_0_SIZE;
}

/* The row of the tensor at an address: the last one, for bytes are used again and again. */
static const net_row *row_at(const void *address)
{
    const net_row *found = &net_table[0];

    for (uint32_t i = 0u; i < NET_TENSOR_COUNT; i++) {
        if (net_tensor((net_index)i) == address) {
            found = &net_table[i];
        }
    }
    return found;
}

static void fill_input(void)
{
    uint32_t state = 12345u;
    uint8_t *const bytes = (uint8_t *)(void *)net_input_0();
    float *const reals = (float *)(void *)net_input_0();
    const int is_real = net_table[0].type == NET_TYPE_FLOAT32;
    const size_t count = is_real ? (NET_INPUT_0_SIZE / sizeof(float)) : NET_INPUT_0_SIZE;

    for (size_t i = 0u; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (is_real) {
            reals[i] = ((float)(state >> 8) / 8388608.0f) - 1.0f;
        } else {
            bytes[i] = (uint8_t)state;
        }
    }
}

static void print_results(void)
{
    const void *const results = net_output_0();
    const net_row *const row = row_at(results);
    const net_quant *const quant = &net_quants[row->quant];
    const int is_real = row->type == NET_TYPE_FLOAT32;
    const size_t count = is_real ? (NET_OUTPUT_0_SIZE / sizeof(float)) : NET_OUTPUT_0_SIZE;

    for (size_t i = 0u; (i < count) && (i < MOST_PRINTED); i++) {
        const float result = is_real ? ((const float *)results)[i]
                                     : (quant->scale * (float)(((const int8_t *)results)[i] - quant->zero_point));

        (void)printf("output %lu: %.3f\n", (unsigned long)i, (double)result);
    }
}

int main(int argc, char **argv)
{
    const size_t bytes = ((size_t)NET_ARENA_SIZE + HUGE_PAGE - 1u) / HUGE_PAGE * HUGE_PAGE;
    int status;

    if (net_arena_ram_set(arena_memory(bytes), bytes) == 0) {
        return EXIT_FAILURE;
    }
    if (argc < 2) {
        fill_input();
    } else if (!read_input(argv[1])) {
        (void)fprintf(stderr, "%s does not hold %lu bytes\n", argv[1], (unsigned long)NET_INPUT_0_SIZE);
        return EXIT_FAILURE;
    }
    status = net_run();
    if (status != NET_RUN_DONE) {
        (void)fprintf(stderr, "the network did not run: %d\n", status);
        return EXIT_FAILURE;
    }
    print_results();
    (void)printf("arena %lu bytes, weights %lu bytes\n", (unsigned long)NET_ARENA_SIZE,
                 (unsigned long)NET_RUNNER_WEIGHTS_SIZE);
    return ((argc < 3) || write_output(argv[2])) ? EXIT_SUCCESS : EXIT_FAILURE;
}
