// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_CZLIB_SHIM_H
#define FIREMETER_CZLIB_SHIM_H

#include <zlib.h>

#endif
