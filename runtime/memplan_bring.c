/* Brings weights from flash to RAM: the core copies. */
#include "memplan_bring.h"
#include "memplan_support.h"

MEMPLAN_KERNEL void memplan_bring(void *to, const void *from, size_t bytes)
{
    (void)memcpy(to, from, bytes);
}

MEMPLAN_KERNEL void memplan_bring_wait(void)
{
}

MEMPLAN_KERNEL void memplan_bring_invalidate(void *address, size_t bytes)
{
    (void)address;
    (void)bytes;
}
