/* The C library. */
#include "files.h"

#include <stdio.h>

void say_number(const char *label, uint32_t number)
{
    (void)printf("%s%lu\n", label, (unsigned long)number);
}

int read_bytes(void *to, uint32_t bytes)
{
    static FILE *file;

    if (file == NULL) {
        file = fopen("inputs.bin", "rb");
    }
    return (file != NULL) && (fread(to, 1, bytes, file) == bytes);
}

int write_bytes(const void *from, uint32_t bytes)
{
    static FILE *file;

    if (file == NULL) {
        file = fopen("outputs.bin", "wb");
    }
    return (file != NULL) && (fwrite(from, 1, bytes, file) == bytes) && (fflush(file) == 0);
}

void paint_unused(void)
{
}

void say_unused(void)
{
}
