// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_CLIBCRYPT_SHIM_H
#define FIREMETER_CLIBCRYPT_SHIM_H

#include <crypt.h>

#endif
