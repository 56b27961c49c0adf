// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Swift's module of the C library leaves out <malloc.h>.
#include "CProcessMemory.h"

#if defined(__linux__)
#include <malloc.h>
#endif

void firemeter_give_back_freed_memory(int arena_count, int mapped_byte_count_min, int kept_byte_count_max) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, arena_count);
    mallopt(M_MMAP_THRESHOLD, mapped_byte_count_min);
    mallopt(M_TRIM_THRESHOLD, kept_byte_count_max);
#else
    (void)arena_count;
    (void)mapped_byte_count_min;
    (void)kept_byte_count_max;
#endif
}
