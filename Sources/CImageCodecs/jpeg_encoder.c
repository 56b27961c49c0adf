// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "jpeg_errors.h"

typedef struct {
    jpeg_errors errors;
    struct jpeg_compress_struct codec;
    // libjpeg's own type, which is not size_t everywhere.
    unsigned char *output;
    unsigned long output_count;
} encoding;

static void configure(struct jpeg_compress_struct *codec, int32_t width, int32_t height, int32_t quality,
                      int32_t horizontal, int32_t vertical) {
    codec->image_width = (JDIMENSION)width;
    codec->image_height = (JDIMENSION)height;
    codec->input_components = 3;
    codec->in_color_space = JCS_RGB;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, quality, TRUE);
    codec->comp_info[0].h_samp_factor = horizontal;
    codec->comp_info[0].v_samp_factor = vertical;
}

static void write_rows(struct jpeg_compress_struct *codec, const uint8_t *rgb) {
    const size_t stride = (size_t)codec->image_width * 3;
    while (codec->next_scanline < codec->image_height) {
        // libjpeg reads rows through a pointer to mutable samples but never writes to them.
        JSAMPROW row = (JSAMPROW)(uintptr_t)(rgb + codec->next_scanline * stride);
        jpeg_write_scanlines(codec, &row, 1);
    }
}

// Only `encoding`, which outlives this frame, changes after setjmp.
static image_codec_status run(encoding *encoding, const uint8_t *rgb, int32_t width, int32_t height,
                              int32_t quality, int32_t horizontal, int32_t vertical) {
    if (setjmp(encoding->errors.caught)) return encoding->errors.status;
    jpeg_create_compress(&encoding->codec);
    jpeg_mem_dest(&encoding->codec, &encoding->output, &encoding->output_count);
    configure(&encoding->codec, width, height, quality, horizontal, vertical);
    jpeg_start_compress(&encoding->codec, TRUE);
    write_rows(&encoding->codec, rgb);
    jpeg_finish_compress(&encoding->codec);
    return IMAGE_CODEC_OK;
}

image_codec_status jpeg_codec_encode(const uint8_t *rgb, int32_t width, int32_t height, int32_t quality,
                                     int32_t horizontal, int32_t vertical, uint8_t **jpeg, size_t *jpeg_count,
                                     char *message) {
    encoding encoding;
    memset(&encoding, 0, sizeof encoding);
    encoding.codec.err = jpeg_errors_install(&encoding.errors, message);
    image_codec_status status = run(&encoding, rgb, width, height, quality, horizontal, vertical);
    jpeg_destroy_compress(&encoding.codec);
    if (status != IMAGE_CODEC_OK) {
        free(encoding.output);
        return status;
    }
    *jpeg = encoding.output;
    *jpeg_count = encoding.output_count;
    return IMAGE_CODEC_OK;
}
