/*
 * Runs a network over inputs from a file and writes its outputs to another. Before each run the arenas are painted, so
 * that no result can depend on what lay there and every byte that is written shows.
 *
 * Exit status: 0, or what the runner returned, or 9 when a file was not what it should be.
 */
#include "ports.h"
#include "files.h"
#include "tensor_memory_pool_runner.h"

#define STATUS_FILE 9

#ifdef EXTERNAL_IO
/* Memory of the caller, aligned for every type. */
#define STORAGE(direction, i, SIZE) static uint64_t direction##_##i[((SIZE) + 7u) / 8u];
#define INPUT_STORAGE(i) STORAGE(input, i, NET_INPUT_##i##_SIZE)
#define OUTPUT_STORAGE(i) STORAGE(output, i, NET_OUTPUT_##i##_SIZE)
INPUTS(INPUT_STORAGE)
OUTPUTS(OUTPUT_STORAGE)
#define INPUT(i) ((void *)input_##i)
#define OUTPUT(i) ((void *)output_##i)
#else
#define INPUT(i) ((void *)net_input_##i())
#define OUTPUT(i) ((void *)net_output_##i())
#endif

/* For each arena the highest byte that some run has changed, and 1. */
#define TOUCHED(C, c) static uint32_t touched_##c;
REGIONS(TOUCHED)

static void paint(uint8_t *arena, uint32_t size, uint8_t with)
{
    for (uint32_t i = 0u; i < size; i++) {
        arena[i] = with;
    }
}

static uint32_t measured(const uint8_t *arena, uint32_t size, uint32_t from, uint8_t painted)
{
    uint32_t touched = from;

    for (uint32_t i = from; i < size; i++) {
        if (arena[i] != painted) {
            touched = i + 1u;
        }
    }
    return touched;
}

static int infer(void)
{
#ifdef EXTERNAL_IO
    static net_ports ports;

#define FILL_INPUT(i) ports.input_##i = INPUT(i);
#define FILL_OUTPUT(i) ports.output_##i = OUTPUT(i);
    INPUTS(FILL_INPUT)
    OUTPUTS(FILL_OUTPUT)
    return net_run(&ports);
#else
    return net_run();
#endif
}

#ifdef NET_CHECK
#include "memplan_check.h"

void memplan_check_report(uint32_t step, uint32_t tensor, const void *address)
{
    (void)address;
    say_number("damaged: step ", step);
    say_number("  tensor ", tensor);
}
#endif

int main(void)
{
    int read = 1;

    paint_unused();
    for (uint32_t run = 0u; run < RUNS; run++) {
        const uint8_t with = (uint8_t)((run % 2u) == 0u ? 0xA5u : 0x5Au);
        int status;

#define PAINT(C, c) paint(net_arena_##c, NET_R_##C##_SIZE, with);
        REGIONS(PAINT)
#ifdef net_load
        net_load();
#endif
#define READ_INPUT(i) read = read && read_bytes(INPUT(i), NET_INPUT_##i##_SIZE);
        INPUTS(READ_INPUT)
        if (!read) {
            return STATUS_FILE;
        }
        status = infer();
        if (status != NET_RUN_DONE) {
            return status;
        }
#define MEASURE(C, c) touched_##c = measured(net_arena_##c, NET_R_##C##_SIZE, touched_##c, with);
        REGIONS(MEASURE)
#define WRITE_OUTPUT(i) read = read && write_bytes(OUTPUT(i), NET_OUTPUT_##i##_SIZE);
        OUTPUTS(WRITE_OUTPUT)
        if (!read) {
            return STATUS_FILE;
        }
    }
#define ADD_TOUCHED(C, c) + touched_##c
#define ADD_USED(C, c) + NET_R_##C##_SIZE
    say_number("touched ", 0u REGIONS(ADD_TOUCHED));
    say_number("used ", 0u REGIONS(ADD_USED));
    say_unused();
    return 0;
}
