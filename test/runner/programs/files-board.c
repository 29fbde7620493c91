/* Semihosting: files of the folder in which the emulator runs. */
#include "files.h"
#include "semihost.h"

#define SEMIHOST_OPEN 0x01u
#define SEMIHOST_WRITE 0x05u
#define SEMIHOST_READ 0x06u
/* fopen's "rb" and "wb" */
#define MODE_READ 1u
#define MODE_WRITE 5u

static uintptr_t open(const char *name, uintptr_t length, uintptr_t mode)
{
    uintptr_t block[3];

    block[0] = (uintptr_t)name;
    block[1] = mode;
    block[2] = length;
    return semihost_call(SEMIHOST_OPEN, (uintptr_t)block);
}

/* Returns 1 when all bytes were moved: the call says how many were not. */
static int move(uintptr_t operation, uintptr_t file, uintptr_t address, uint32_t bytes)
{
    uintptr_t block[3];

    block[0] = file;
    block[1] = address;
    block[2] = bytes;
    return semihost_call(operation, (uintptr_t)block) == 0u;
}

int read_bytes(void *to, uint32_t bytes)
{
    static uintptr_t file;

    if (file == 0u) {
        file = open("inputs.bin", 10u, MODE_READ);
    }
    return move(SEMIHOST_READ, file, (uintptr_t)to, bytes);
}

int write_bytes(const void *from, uint32_t bytes)
{
    static uintptr_t file;

    if (file == 0u) {
        file = open("outputs.bin", 11u, MODE_WRITE);
    }
    return move(SEMIHOST_WRITE, file, (uintptr_t)from, bytes);
}

#define PAINTED 0xC0DEC0DEu

/* Of the linker script; their addresses are what counts. */
extern uint32_t __behind_start__;
extern uint32_t __behind_end__;
extern uint32_t __stack_limit__;
extern uint32_t __stack_top__;

static void paint(uintptr_t from, uintptr_t to)
{
    for (uintptr_t at = from; at < to; at += sizeof(uint32_t)) {
        *(volatile uint32_t *)at = PAINTED;
    }
}

/* Returns the first address that is not painted. */
static uintptr_t painted_end(uintptr_t from, uintptr_t to)
{
    uintptr_t at = from;

    while ((at < to) && (*(volatile uint32_t *)at == PAINTED)) {
        at += sizeof(uint32_t);
    }
    return at;
}

void paint_unused(void)
{
    uint32_t here = 0u;

    paint((uintptr_t)&__stack_limit__, (uintptr_t)&here - 128u);
    paint((uintptr_t)&__behind_start__, (uintptr_t)&__behind_end__);
}

void say_unused(void)
{
    const uintptr_t end = (uintptr_t)&__behind_end__;
    const uintptr_t top = (uintptr_t)&__stack_top__;

    say_number("behind ", (uint32_t)(end - painted_end((uintptr_t)&__behind_start__, end)));
    say_number("stack ", (uint32_t)(top - painted_end((uintptr_t)&__stack_limit__, top)));
}
