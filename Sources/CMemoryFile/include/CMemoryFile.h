// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_MEMORY_FILE_H
#define FIREMETER_MEMORY_FILE_H

// Opens a new file that lies in memory and has no name; it is gone when its last descriptor closes. Returns the
// descriptor, or -1 with errno set, as on systems that do not offer that.
int firemeter_memory_file(void);

#endif
