// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_PROCESS_MEMORY_H
#define FIREMETER_PROCESS_MEMORY_H

// Has freed memory given back to the system: threads share this many arenas, buffers from a size on are mapped by
// themselves, and no more than so much is kept at the end of an arena. Does nothing where the C library is not glibc.
void firemeter_give_back_freed_memory(int arena_count, int mapped_byte_count_min, int kept_byte_count_max);

// Gives threads that begin from now on a stack of this size, where they would have a larger one. Returns 0 or an error
// number.
int firemeter_set_stack_size(unsigned long byte_count);

#endif
