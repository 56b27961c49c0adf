// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_BUILD_COMMIT_H
#define FIREMETER_BUILD_COMMIT_H

// The commit that the program was built from, where the build was given it (FIREMETER_COMMIT), or an empty text. In C, so that
// another commit compiles these lines alone.
const char *firemeter_build_commit(void);

#endif
