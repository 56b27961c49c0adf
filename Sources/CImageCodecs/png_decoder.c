// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

#include "image_codecs.h"

typedef struct {
    const uint8_t *bytes;
    size_t count, offset;
    jmp_buf caught;
    image_codec_status status;
    char *message;
    png_structp codec;
    png_infop info;
} reading;

static void handle_error(png_structp codec, png_const_charp text) {
    reading *reading = png_get_error_ptr(codec);
    snprintf(reading->message, IMAGE_CODEC_MESSAGE_SIZE, "%s", text);
    longjmp(reading->caught, 1);
}

static void ignore_warning(png_structp codec, png_const_charp text) {
    (void)codec;
    (void)text;
}

static void read_bytes(png_structp codec, png_bytep destination, size_t count) {
    reading *reading = png_get_io_ptr(codec);
    if (count > reading->count - reading->offset) {
        reading->status = IMAGE_CODEC_TRUNCATED;
        png_error(codec, "the data ends early");
    }
    memcpy(destination, reading->bytes + reading->offset, count);
    reading->offset += count;
}

/// Rows that libpng delivers when it leaves the passes of an interlaced picture apart.
static size_t row_count(png_structp codec, png_infop info) {
    const png_uint_32 width = png_get_image_width(codec, info), height = png_get_image_height(codec, info);
    if (png_get_interlace_type(codec, info) == PNG_INTERLACE_NONE) return height;
    size_t count = 0;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        if (PNG_PASS_COLS(width, pass) > 0) count += PNG_PASS_ROWS(height, pass);
    }
    return count;
}

// Only `reading`, which outlives this frame, changes after setjmp.
static image_codec_status run_verify(reading *reading) {
    if (setjmp(reading->caught)) return reading->status;
    reading->codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, reading, handle_error, ignore_warning);
    if (reading->codec == NULL) return IMAGE_CODEC_OUT_OF_MEMORY;
    reading->info = png_create_info_struct(reading->codec);
    if (reading->info == NULL) return IMAGE_CODEC_OUT_OF_MEMORY;
    png_set_read_fn(reading->codec, reading, read_bytes);
    png_read_info(reading->codec, reading->info);
    const size_t rows = row_count(reading->codec, reading->info);
    for (size_t row = 0; row < rows; row++) png_read_row(reading->codec, NULL, NULL);
    png_read_end(reading->codec, NULL);
    return IMAGE_CODEC_OK;
}

image_codec_status png_codec_verify(const uint8_t *png, size_t png_count, char *message) {
    reading reading;
    memset(&reading, 0, sizeof reading);
    reading.bytes = png;
    reading.count = png_count;
    reading.status = IMAGE_CODEC_CORRUPT;
    reading.message = message;
    image_codec_status status = run_verify(&reading);
    png_destroy_read_struct(&reading.codec, &reading.info, NULL);
    return status;
}

// libpng's simplified interface catches its own longjmp.
image_codec_status png_codec_decode(const uint8_t *png, size_t png_count, uint8_t *rgba, size_t rgba_count,
                                    char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image_codec_status status = IMAGE_CODEC_OK;
    if (png_image_begin_read_from_memory(&image, png, png_count)) {
        // Files of 16 bits that do not say their gamma are taken as sRGB, like those of 8 bits, and not as linear.
        image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
        image.format = PNG_FORMAT_RGBA;
        if (PNG_IMAGE_SIZE(image) != rgba_count) {
            snprintf(image.message, sizeof image.message, "the header changed while it was read");
            status = IMAGE_CODEC_CORRUPT;
        } else if (!png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
            status = IMAGE_CODEC_CORRUPT;
        }
    } else {
        status = IMAGE_CODEC_CORRUPT;
    }
    if (status != IMAGE_CODEC_OK) snprintf(message, IMAGE_CODEC_MESSAGE_SIZE, "%s", image.message);
    png_image_free(&image);
    return status;
}
