/* Functions of two numbers with broadcast, element by element. */
#include "memplan_support.h"

/* y runs through in order; each kernel reads an element of a and of b before it writes the one in that place. */
#define MEMPLAN_BINARY(name, T, expression)                                                     \
    MEMPLAN_KERNEL void memplan_##name(const T *a, const T *b, T *y, const memplan_grid *grid)  \
    {                                                                                           \
        const int32_t row = memplan_row(grid);                                                  \
        const int32_t a_step = memplan_step(grid, 0);                                           \
        const int32_t b_step = memplan_step(grid, 1);                                           \
        memplan_cursor cursor;                                                                  \
                                                                                                \
        memplan_start(&cursor);                                                                 \
        do {                                                                                    \
            const T *pa = &a[cursor.at[0]];                                                     \
            const T *pb = &b[cursor.at[1]];                                                     \
                                                                                                \
            for (int32_t i = 0; i < row; i++) {                                                 \
                const T p = *pa;                                                                \
                const T q = *pb;                                                                \
                                                                                                \
                *y = (expression);                                                              \
                y++;                                                                            \
                pa += a_step;                                                                   \
                pb += b_step;                                                                   \
            }                                                                                   \
        } while (memplan_next_row(&cursor, grid) != 0);                                         \
    }

/* A product with itself, a common power, is exact to the last bit in every library. */
static inline float binary_power(float base, float exponent)
{
    return ((exponent >= 2.0f) && (exponent <= 2.0f)) ? (base * base) : powf(base, exponent);
}

MEMPLAN_BINARY(add_f32, float, p + q)
MEMPLAN_BINARY(sub_f32, float, p - q)
MEMPLAN_BINARY(mul_f32, float, p * q)
MEMPLAN_BINARY(div_f32, float, p / q)
MEMPLAN_BINARY(pow_f32, float, binary_power(p, q))
MEMPLAN_BINARY(max_f32, float, (p > q) ? p : q)
MEMPLAN_BINARY(min_f32, float, (p < q) ? p : q)
MEMPLAN_BINARY(fmod_f32, float, fmodf(p, q))
MEMPLAN_BINARY(prelu_f32, float, (p < 0.0f) ? (p * q) : p)

/* Integers wrap around, which C leaves undefined for signed ones. */
#define MEMPLAN_WRAPPING(op, T, U) ((T)((U)p op (U)q))

/* The least number divided by -1 wraps around as well. */
#define MEMPLAN_QUOTIENT(T, U) ((q == 0) ? 0 : ((q == -1) ? (T)(0u - (U)p) : (p / q)))
#define MEMPLAN_REMAINDER ((q == 0 || q == -1) ? 0 : ((((p % q) != 0) && ((p < 0) != (q < 0))) ? ((p % q) + q) : (p % q)))

MEMPLAN_BINARY(add_i32, int32_t, MEMPLAN_WRAPPING(+, int32_t, uint32_t))
MEMPLAN_BINARY(sub_i32, int32_t, MEMPLAN_WRAPPING(-, int32_t, uint32_t))
MEMPLAN_BINARY(mul_i32, int32_t, MEMPLAN_WRAPPING(*, int32_t, uint32_t))
MEMPLAN_BINARY(div_i32, int32_t, MEMPLAN_QUOTIENT(int32_t, uint32_t))
MEMPLAN_BINARY(mod_i32, int32_t, MEMPLAN_REMAINDER)
MEMPLAN_BINARY(max_i32, int32_t, (p > q) ? p : q)
MEMPLAN_BINARY(min_i32, int32_t, (p < q) ? p : q)
MEMPLAN_BINARY(add_i64, int64_t, MEMPLAN_WRAPPING(+, int64_t, uint64_t))
MEMPLAN_BINARY(sub_i64, int64_t, MEMPLAN_WRAPPING(-, int64_t, uint64_t))
MEMPLAN_BINARY(mul_i64, int64_t, MEMPLAN_WRAPPING(*, int64_t, uint64_t))
MEMPLAN_BINARY(div_i64, int64_t, MEMPLAN_QUOTIENT(int64_t, uint64_t))
MEMPLAN_BINARY(mod_i64, int64_t, MEMPLAN_REMAINDER)
MEMPLAN_BINARY(max_i64, int64_t, (p > q) ? p : q)
MEMPLAN_BINARY(min_i64, int64_t, (p < q) ? p : q)
MEMPLAN_BINARY(max_u8, uint8_t, (p > q) ? p : q)
MEMPLAN_BINARY(min_u8, uint8_t, (p < q) ? p : q)
MEMPLAN_BINARY(max_s8, int8_t, (p > q) ? p : q)
MEMPLAN_BINARY(min_s8, int8_t, (p < q) ? p : q)
