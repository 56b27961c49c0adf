// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <isa-l/igzip_lib.h>
