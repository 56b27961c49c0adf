// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once
// jpeglib.h uses FILE and size_t without declaring them.
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
