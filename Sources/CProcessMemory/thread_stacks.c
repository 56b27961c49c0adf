// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Swift's module of the C library leaves out what only Linux has.
#define _GNU_SOURCE

#include "CProcessMemory.h"

// Before the test of __GLIBC__, which it defines.
#include <pthread.h>

#if defined(__GLIBC__)

int firemeter_set_stack_size(unsigned long byte_count) {
    pthread_attr_t attributes;
    int error = pthread_getattr_default_np(&attributes);
    if (error != 0) return error;
    size_t present = 0;
    error = pthread_attr_getstacksize(&attributes, &present);
    if (error == 0 && present > byte_count) {
        error = pthread_attr_setstacksize(&attributes, byte_count);
        if (error == 0) error = pthread_setattr_default_np(&attributes);
    }
    pthread_attr_destroy(&attributes);
    return error;
}

#else

// Elsewhere threads have small stacks already.
int firemeter_set_stack_size(unsigned long byte_count) {
    (void)byte_count;
    return 0;
}

#endif
