// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "image_codecs.h"

/// An error manager that jumps back with a status and a message instead of ending the process.
typedef struct {
    struct jpeg_error_mgr base;  // first: libjpeg hands back a pointer to it
    jmp_buf caught;
    image_codec_status status;
    char *message;
} jpeg_errors;

/// Prepares the manager; `message` has IMAGE_CODEC_MESSAGE_SIZE bytes.
struct jpeg_error_mgr *jpeg_errors_install(jpeg_errors *errors, char *message);

/// Ends the call for a reason of our own.
_Noreturn void jpeg_errors_leave(j_common_ptr codec, image_codec_status status, const char *text);
