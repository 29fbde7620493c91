/*
 * Size classes. Small tensors get blocks of few sizes, so that what one leaves another can take; and some of them are
 * kept when they are freed, in a list for each class, neither cut nor joined, until a tensor of the class comes, or one
 * that is larger than all classes: that one finds all joined that is free.
 */
#include "tensor_fast_blocks.h"

static uint32_t class_bytes(uint32_t class_index)
{
    return 64u << (2u * class_index);
}

uint32_t tensor_fast_class_size(uint32_t class_index)
{
    return tensor_pool_base_rounded(class_bytes(class_index) + FAST_HEADER);
}

uint32_t tensor_fast_class_of(uint32_t bytes)
{
    uint32_t class_index = 0u;

    while ((class_index < TENSOR_FAST_CLASSES) && (class_bytes(class_index) < bytes)) {
        class_index++;
    }
    if ((class_index < TENSOR_FAST_CLASSES) &&
        (((class_bytes(class_index) - bytes) * 100u) > (class_bytes(class_index) * TENSOR_POOL_UNSIGNED(TENSOR_FAST_WASTE)))) {
        class_index = TENSOR_FAST_CLASSES;
    }
    return class_index;
}

uint32_t tensor_fast_class_take(TensorFastPool *pool, uint32_t class_index)
{
    uint32_t header = pool->kept[class_index];

    if (header == TENSOR_POOL_NONE) {
        header = tensor_fast_block_take(pool, tensor_fast_class_size(class_index));
    } else {
        pool->kept[class_index] = fast_word(pool, header, FAST_NEXT);
        pool->keeps[class_index]--;
        fast_set(pool, header, FAST_SIZE, fast_size(pool, header) | FAST_LIVE);
    }
    return header;
}

bool tensor_fast_class_keep(TensorFastPool *pool, uint32_t header)
{
    const uint32_t size = fast_size(pool, header);
    bool keep = false;

    for (uint32_t i = 0u; i < TENSOR_FAST_CLASSES; i++) {
        if ((size == tensor_fast_class_size(i)) && (pool->keeps[i] != TENSOR_POOL_UNSIGNED(TENSOR_FAST_KEEP))) {
            fast_set(pool, header, FAST_SIZE, size | FAST_KEPT);
            fast_set(pool, header, FAST_NEXT, pool->kept[i]);
            pool->kept[i] = header;
            pool->keeps[i]++;
            keep = true;
            break;
        }
    }
    return keep;
}

void tensor_fast_class_reclaim(TensorFastPool *pool)
{
    for (uint32_t i = 0u; i < TENSOR_FAST_CLASSES; i++) {
        while (pool->kept[i] != TENSOR_POOL_NONE) {
            const uint32_t header = pool->kept[i];

            pool->kept[i] = fast_word(pool, header, FAST_NEXT);
            tensor_fast_block_give(pool, header);
        }
        pool->keeps[i] = 0u;
    }
}
