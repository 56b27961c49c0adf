// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include "CBuildCommit.h"

#ifndef FIREMETER_COMMIT
#define FIREMETER_COMMIT
#endif

#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

const char *firemeter_build_commit(void) { return TEXT_OF(FIREMETER_COMMIT); }
