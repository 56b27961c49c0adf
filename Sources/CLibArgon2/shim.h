// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_CLIBARGON2_SHIM_H
#define FIREMETER_CLIBARGON2_SHIM_H

#include <argon2.h>

#endif
