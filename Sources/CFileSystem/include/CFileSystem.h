// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_FILE_SYSTEM_H
#define FIREMETER_FILE_SYSTEM_H

// Swaps the names of two files or directories of one file system in one step. Returns 0; -1 with errno set, and
// nothing changed, where the system or the file system does not offer that.
int firemeter_swap(const char *first, const char *second);

// Waits until everything in the file system of an open file survives the death of the machine. Returns 0, or -1 with
// errno set.
int firemeter_synchronize_file_system(int descriptor);

#endif
