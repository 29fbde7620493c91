/* Start-up and output on a Cortex-M under QEMU. The arenas are not zeroed: no plan may rely on it. */
#include "platform.h"
#include "semihost.h"

#define SCB_CPACR (*(volatile uint32_t *)0xE000ED88u)
#define SCB_CFSR (*(volatile uint32_t *)0xE000ED28u)
#define SCB_BFAR (*(volatile uint32_t *)0xE000ED38u)
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
    { .handler = Fault_Handler }, { .handler = Fault_Handler }, { .handler = Fault_Handler },
    { .handler = Fault_Handler }, { .handler = Fault_Handler }, { .handler = Fault_Handler },
    { .handler = Fault_Handler }, { .handler = Fault_Handler }, { .handler = Fault_Handler },
    { .handler = Fault_Handler },
};

void say(const char *text)
{
    semihost_write(text);
}

void say_number(const char *label, uint32_t number)
{
    char digits[12];
    uint32_t rest = number;
    uint32_t at = sizeof digits - 2u;

    digits[sizeof digits - 2u] = '\n';
    digits[sizeof digits - 1u] = '\0';
    do {
        at--;
        digits[at] = (char)('0' + (int)(rest % 10u));
        rest /= 10u;
    } while (rest != 0u);
    say(label);
    say(&digits[at]);
}

void Fault_Handler(void)
{
    say_number("fault: status register ", SCB_CFSR);
    say_number("fault: address ", SCB_BFAR);
    semihost_exit(STATUS_FAULT);
}

void Reset_Handler(void)
{
    const uint32_t *from = &__data_load__;
    uint32_t *to;

#if defined(__ARM_FP)
    SCB_CPACR |= (0xFu << 20);
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    for (to = &__data_start__; to < &__data_end__; to++) {
        *to = *from;
        from++;
    }
    for (to = &__bss_start__; to < &__bss_end__; to++) {
        *to = 0u;
    }
    semihost_exit(main());
}
