/* What the walk needs of the machine it runs on. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdint.h>

void say(const char *text);
void say_number(const char *label, uint32_t number);

#endif
