// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_CLIBFUZZER_SHIM_H
#define FIREMETER_CLIBFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

// As https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library has it (2026-11); toolchains bring no header.
int LLVMFuzzerRunDriver(int *argumentCount, char ***arguments, int (*testOneInput)(const uint8_t *bytes, size_t count));

#endif
