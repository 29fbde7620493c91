/* The pool that a program is compiled for: -DFORM=0 best fit, 1 constant time, 2 constant time with size classes. */
#ifndef FORM_H
#define FORM_H

#include "tensor_fast_pool.h"
#include "tensor_pool.h"

#if FORM == 0
typedef TensorMemPool Pool;
#define pool_init(pool, memory, bytes) tensor_pool_init(pool, memory, bytes)
#define pool_set_hooks tensor_pool_set_hooks
#define pool_set_mark tensor_pool_set_mark
#define pool_grow tensor_pool_grow
#define pool_alloc tensor_alloc
#define pool_alloc_as tensor_alloc_as
#define pool_free tensor_free
#define pool_retain tensor_retain
#define pool_release tensor_release
#define pool_end_owner tensor_end_owner
#define pool_address tensor_address
#define pool_compact tensor_pool_compact
#define pool_stats tensor_pool_stats
#else
typedef TensorFastPool Pool;
#define pool_init(pool, memory, bytes) tensor_fast_pool_init(pool, memory, bytes, FORM == 2)
#define pool_set_hooks tensor_fast_pool_set_hooks
#define pool_set_mark tensor_fast_pool_set_mark
#define pool_grow tensor_fast_pool_grow
#define pool_alloc tensor_fast_alloc
#define pool_alloc_as tensor_fast_alloc_as
#define pool_free tensor_fast_free
#define pool_retain tensor_fast_retain
#define pool_release tensor_fast_release
#define pool_end_owner tensor_fast_end_owner
#define pool_address tensor_fast_address
#define pool_compact tensor_fast_pool_compact
#define pool_stats tensor_fast_pool_stats
#endif

#endif
