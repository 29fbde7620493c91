/* Functions of two numbers with broadcast, element by element. */
#include "memplan_support.h"

#define MEMPLAN_BINARY(name, type, expression) MEMPLAN_PAIRS(name, type, type, expression)

/* A product with itself, a common power, is exact to the last bit in every library. */
static inline float binary_power(float base, float exponent)
{
    return ((exponent >= 2.0f) && (exponent <= 2.0f)) ? (base * base) : powf(base, exponent);
}

/* Integers wrap around, which C leaves undefined for signed ones: they are computed unsigned. */
static inline int64_t binary_wrapped_64(uint64_t bits)
{
    return (int64_t)bits;
}

/* The least number divided by -1 wraps around as well. */
static inline int32_t binary_quotient_32(int32_t p, int32_t q)
{
    return (q == 0) ? 0 : ((q == -1) ? memplan_wrapped_32(0u - (uint32_t)p) : (p / q));
}

static inline int64_t binary_quotient_64(int64_t p, int64_t q)
{
    return (q == 0) ? 0 : ((q == -1) ? binary_wrapped_64(0u - (uint64_t)p) : (p / q));
}

/* The remainder of a division by -1 is 0, but C leaves that of the least number undefined. */
static inline int32_t binary_remainder_32(int32_t p, int32_t q)
{
    const int32_t rest = ((q == 0) || (q == -1)) ? 0 : (p % q);

    return ((rest != 0) && ((p < 0) != (q < 0))) ? (rest + q) : rest;
}

static inline int64_t binary_remainder_64(int64_t p, int64_t q)
{
    const int64_t rest = ((q == 0) || (q == -1)) ? 0 : (p % q);

    return ((rest != 0) && ((p < 0) != (q < 0))) ? (rest + q) : rest;
}

MEMPLAN_BINARY(add, f32, p + q)
MEMPLAN_BINARY(sub, f32, p - q)
MEMPLAN_BINARY(mul, f32, p * q)
MEMPLAN_BINARY(div, f32, p / q)
MEMPLAN_BINARY(pow, f32, binary_power(p, q))
MEMPLAN_BINARY(max, f32, (p > q) ? p : q)
MEMPLAN_BINARY(min, f32, (p < q) ? p : q)
MEMPLAN_BINARY(fmod, f32, fmodf(p, q))
MEMPLAN_BINARY(prelu, f32, (p < 0.0f) ? (p * q) : p)

MEMPLAN_BINARY(add, i32, memplan_wrapped_32((uint32_t)p + (uint32_t)q))
MEMPLAN_BINARY(sub, i32, memplan_wrapped_32((uint32_t)p - (uint32_t)q))
MEMPLAN_BINARY(mul, i32, memplan_wrapped_32((uint32_t)p * (uint32_t)q))
MEMPLAN_BINARY(div, i32, binary_quotient_32(p, q))
MEMPLAN_BINARY(mod, i32, binary_remainder_32(p, q))
MEMPLAN_BINARY(max, i32, (p > q) ? p : q)
MEMPLAN_BINARY(min, i32, (p < q) ? p : q)
MEMPLAN_BINARY(add, i64, binary_wrapped_64((uint64_t)p + (uint64_t)q))
MEMPLAN_BINARY(sub, i64, binary_wrapped_64((uint64_t)p - (uint64_t)q))
MEMPLAN_BINARY(mul, i64, binary_wrapped_64((uint64_t)p * (uint64_t)q))
MEMPLAN_BINARY(div, i64, binary_quotient_64(p, q))
MEMPLAN_BINARY(mod, i64, binary_remainder_64(p, q))
MEMPLAN_BINARY(max, i64, (p > q) ? p : q)
MEMPLAN_BINARY(min, i64, (p < q) ? p : q)
MEMPLAN_BINARY(max, u8, (p > q) ? p : q)
MEMPLAN_BINARY(min, u8, (p < q) ? p : q)
MEMPLAN_BINARY(max, s8, (p > q) ? p : q)
MEMPLAN_BINARY(min, s8, (p < q) ? p : q)
