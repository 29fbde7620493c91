/* Input and output of a test program, on the host and on a board. */
#ifndef FILES_H
#define FILES_H

#include <stdint.h>

void say_number(const char *label, uint32_t number);

/* The next bytes of inputs.bin. Returns 0 where there are fewer. */
int read_bytes(void *to, uint32_t bytes);

/* Appends to outputs.bin. Returns 0 on failure. */
int write_bytes(const void *from, uint32_t bytes);

#endif
