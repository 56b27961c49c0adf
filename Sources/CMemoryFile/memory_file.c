// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Swift's module of the C library leaves out what only Linux has.
#define _GNU_SOURCE

#include "CMemoryFile.h"

#include <errno.h>

#if defined(__linux__)
#include <sys/mman.h>

int firemeter_memory_file(void) {
    return memfd_create("firemeter-answer", MFD_CLOEXEC);
}

#else

int firemeter_memory_file(void) {
    errno = ENOSYS;
    return -1;
}

#endif
