// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include "jpeg_errors.h"

#include <string.h>

#include <jerror.h>

_Static_assert(IMAGE_CODEC_MESSAGE_SIZE >= JMSG_LENGTH_MAX, "libjpeg's messages must fit");

/// Some cameras pad the coded data by a few bytes, which every viewer accepts; a decoder that lost its place
/// leaves far more.
enum { stray_byte_count_max = 16 };

static image_codec_status status_of_error(int code) {
    switch (code) {
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
        return IMAGE_CODEC_TRUNCATED;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
        return IMAGE_CODEC_UNSUPPORTED;
    case JERR_OUT_OF_MEMORY:
        return IMAGE_CODEC_OUT_OF_MEMORY;
    default:
        return IMAGE_CODEC_CORRUPT;
    }
}

/// What libjpeg only warns of, patching the picture with grey: for us the file is not whole.
static image_codec_status status_of_warning(const struct jpeg_error_mgr *base) {
    switch (base->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
        return IMAGE_CODEC_TRUNCATED;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL:
        return IMAGE_CODEC_CORRUPT;
    case JWRN_EXTRANEOUS_DATA:
        return base->msg_parm.i[0] > stray_byte_count_max ? IMAGE_CODEC_CORRUPT : IMAGE_CODEC_OK;
    default:
        return IMAGE_CODEC_OK;
    }
}

void jpeg_errors_leave(j_common_ptr codec, image_codec_status status, const char *text) {
    jpeg_errors *errors = (jpeg_errors *)codec->err;
    errors->status = status;
    snprintf(errors->message, IMAGE_CODEC_MESSAGE_SIZE, "%s", text);
    longjmp(errors->caught, 1);
}

static void leave(j_common_ptr codec, image_codec_status status) {
    char text[JMSG_LENGTH_MAX];
    codec->err->format_message(codec, text);
    jpeg_errors_leave(codec, status, text);
}

static void handle_error(j_common_ptr codec) {
    leave(codec, status_of_error(codec->err->msg_code));
}

static void handle_message(j_common_ptr codec, int level) {
    // Levels from 0 up are traces.
    if (level >= 0) return;
    image_codec_status status = status_of_warning(codec->err);
    if (status != IMAGE_CODEC_OK) leave(codec, status);
}

struct jpeg_error_mgr *jpeg_errors_install(jpeg_errors *errors, char *message) {
    memset(errors, 0, sizeof *errors);
    jpeg_std_error(&errors->base);
    errors->base.error_exit = handle_error;
    errors->base.emit_message = handle_message;
    errors->message = message;
    return &errors->base;
}
