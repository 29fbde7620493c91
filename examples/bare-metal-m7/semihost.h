/* Arm semihosting: text to the console, and the exit status. M-profile cores: BKPT 0xAB. */
#ifndef SEMIHOST_H
#define SEMIHOST_H

#include <stdint.h>

#define SEMIHOST_WRITE0 0x04u
#define SEMIHOST_EXIT_EXTENDED 0x20u
/* ADP_Stopped_ApplicationExit */
#define SEMIHOST_APPLICATION_EXIT 0x20026u

static inline uintptr_t semihost_call(uintptr_t operation, uintptr_t argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt #0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static inline void semihost_write(const char *text)
{
    (void)semihost_call(SEMIHOST_WRITE0, (uintptr_t)text);
}

/* The status becomes QEMU's exit status. */
static inline void semihost_exit(int status)
{
    uintptr_t block[2];

    block[0] = SEMIHOST_APPLICATION_EXIT;
    block[1] = (uintptr_t)(unsigned int)status;
    (void)semihost_call(SEMIHOST_EXIT_EXTENDED, (uintptr_t)block);
    for (;;) {
    }
}

#endif
