/* Vectors and start-up. The arenas are not zeroed: nothing relies on what lies there. */
#include <stdint.h>

#include "semihost.h"

#define SCB_CPACR (*(volatile uint32_t *)0xE000ED88u)
#define STATUS_FAULT 70

extern uint32_t __stack_top__;
extern const uint32_t __data_load__;
extern uint32_t __data_start__;
extern uint32_t __data_end__;
extern uint32_t __bss_start__;
extern uint32_t __bss_end__;

int main(void);
void Reset_Handler(void);
void Fault_Handler(void);

typedef union {
    void (*handler)(void);
    const uint32_t *stack;
} vector;

__attribute__((section(".vectors"), used)) static const vector vectors[] = {
    { .stack = &__stack_top__ },   { .handler = Reset_Handler }, { .handler = Fault_Handler },
    { .handler = Fault_Handler }, { .handler = Fault_Handler }, { .handler = Fault_Handler },
    { .handler = Fault_Handler },
};

void Fault_Handler(void)
{
    semihost_write("fault\n");
    semihost_exit(STATUS_FAULT);
}

void Reset_Handler(void)
{
    const uint32_t *from = &__data_load__;

    SCB_CPACR |= (0xFu << 20); /* the floating-point unit */
    __asm__ volatile("dsb\n isb" ::: "memory");
    for (uint32_t *to = &__data_start__; to < &__data_end__; to++) {
        *to = *from;
        from++;
    }
    for (uint32_t *to = &__bss_start__; to < &__bss_end__; to++) {
        *to = 0u;
    }
    semihost_exit(main());
}
