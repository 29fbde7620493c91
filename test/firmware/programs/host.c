/* The walk on a desktop machine. */
#include <stdio.h>

#include "platform.h"

void say(const char *text)
{
    (void)fputs(text, stdout);
}

void say_number(const char *label, uint32_t number)
{
    (void)printf("%s%lu\n", label, (unsigned long)number);
}
