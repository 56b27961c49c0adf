// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Swift's module of the C library leaves out what only Linux has.
#define _GNU_SOURCE

#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

// RENAME_EXCHANGE of linux/fs.h, which not every C library declares.
static const unsigned int exchange_flag = 1 << 1;

int firemeter_swap(const char *first, const char *second) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, exchange_flag);
}

int firemeter_synchronize_file_system(int descriptor) {
    return syncfs(descriptor);
}

#elif defined(__APPLE__)

int firemeter_swap(const char *first, const char *second) {
    return renamex_np(first, second, RENAME_SWAP);
}

int firemeter_synchronize_file_system(int descriptor) {
    (void)descriptor;
    sync();
    return 0;
}

#else
#error "Firemeter runs on Linux and on Apple's systems"
#endif
