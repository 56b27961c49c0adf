// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_PAGE_FILES_H
#define FIREMETER_PAGE_FILES_H

#include <stddef.h>

// The files of pages, as bytes in the program. In C, whose compiler takes them as they are: as an array in Swift, half a megabyte
// costs a minute of each build, and two of one that optimizes (Swift 6.3). tools/list-pages writes the lists.

struct page_file {
    const char *name;
    const unsigned char *bytes;
    size_t byte_count;
};

struct page_files {
    const struct page_file *first;
    size_t count;
};

/// The console's page: ConsoleServer/Page/Files.
struct page_files console_page_files(void);

/// The pages of sign-in: AuthServer/Pages/Files.
struct page_files sign_in_page_files(void);

#endif
