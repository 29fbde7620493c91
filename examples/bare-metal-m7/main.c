/* Runs the network once on a made-up input and prints its results. */
#include "net_runner.h"
#include "semihost.h"

#define MOST_PRINTED 12u

static void print_number(const char *label, uint32_t number)
{
    char digits[12];
    uint32_t at = sizeof digits - 1u;

    digits[at] = '\0';
    do {
        at--;
        digits[at] = (char)('0' + (int)(number % 10u));
        number /= 10u;
    } while (number != 0u);
    semihost_write(label);
    semihost_write(&digits[at]);
}

/* With three digits behind the point. */
static void print_result(uint32_t index, float result)
{
    const float size = (result < 0.0f) ? -result : result;
    const uint32_t thousandths = (uint32_t)((size * 1000.0f) + 0.5f);

    print_number("output ", index);
    print_number((result < 0.0f) ? ": -" : ": ", thousandths / 1000u);
    print_number(".", (thousandths / 100u) % 10u);
    print_number("", (thousandths / 10u) % 10u);
    print_number("", thousandths % 10u);
    semihost_write("\n");
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

/* Where a camera or a microphone would write: a pattern over the whole range of the input's type. */
static void fill_input(void)
{
    uint32_t state = 12345u;
    uint8_t *const bytes = (uint8_t *)net_tensor((net_index)0);
    float *const reals = (float *)net_tensor((net_index)0);

    for (uint32_t i = 0u; i < NET_INPUT_0_SIZE; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (net_table[0].type != NET_TYPE_FLOAT32) {
            bytes[i] = (uint8_t)state;
        } else if (i < (NET_INPUT_0_SIZE / sizeof(float))) {
            reals[i] = ((float)(state >> 8) / 8388608.0f) - 1.0f;
        } else {
            break;
        }
    }
}

static void print_results(void)
{
    const net_row *const row = row_at(net_output_0());
    const net_quant *const quant = &net_quants[row->quant];
    const uint32_t size = (row->type == NET_TYPE_FLOAT32) ? (NET_OUTPUT_0_SIZE / sizeof(float)) : NET_OUTPUT_0_SIZE;
    const void *const results = net_output_0();

    for (uint32_t i = 0u; (i < size) && (i < MOST_PRINTED); i++) {
        const float result = (row->type == NET_TYPE_FLOAT32)
                                 ? ((const float *)results)[i]
                                 : quant->scale * (float)(((const int8_t *)results)[i] - quant->zero_point);

        print_result(i, result);
    }
}

#ifdef NET_CHECK
#include "memplan_check.h"

void memplan_check_report(uint32_t step, uint32_t tensor, const void *address)
{
    (void)address;
    print_number("a kernel wrote where it must not: step ", step);
    print_number(", tensor ", tensor);
    semihost_write("\n");
}
#endif

int main(void)
{
    int status;

    if (net_misplaced() != 0u) {
        semihost_write("the linker put an arena into another memory\n");
        return 1;
    }
    if (net_self_test() != NET_RUN_DONE) {
        semihost_write("the parts of the firmware belong to different plans\n");
        return 1;
    }
    fill_input();
    status = net_run();
    if (status != NET_RUN_DONE) {
        print_number("the network did not run: ", (uint32_t)status);
        semihost_write("\n");
        return 1;
    }
    print_results();
    print_number("arena ", NET_ARENA_SIZE);
    print_number(" bytes, weights ", NET_RUNNER_WEIGHTS_SIZE);
    semihost_write(" bytes\n");
    return 0;
}
