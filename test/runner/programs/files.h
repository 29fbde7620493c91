/* What a test program needs of the machine: text, files, and its stack. */
#ifndef FILES_H
#define FILES_H

#include <stdint.h>

void say_number(const char *label, uint32_t number);

/* The next bytes of inputs.bin. Returns 0 where there are fewer. */
int read_bytes(void *to, uint32_t bytes);

/* Appends to outputs.bin. Returns 0 on failure. */
int write_bytes(const void *from, uint32_t bytes);

/* Paints the free part of the stack and what lies behind the arena in its memory. On the host there is neither. */
void paint_unused(void);

/* Says how many bytes of both have been written to since then. */
void say_unused(void);

#endif
