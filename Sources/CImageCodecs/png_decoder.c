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

static image_codec_status open_png(reading *reading) {
    reading->codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, reading, handle_error, ignore_warning);
    if (reading->codec == NULL) return IMAGE_CODEC_OUT_OF_MEMORY;
    reading->info = png_create_info_struct(reading->codec);
    if (reading->info == NULL) return IMAGE_CODEC_OUT_OF_MEMORY;
    png_set_read_fn(reading->codec, reading, read_bytes);
    png_read_info(reading->codec, reading->info);
    return IMAGE_CODEC_OK;
}

static void prepare(reading *reading, const uint8_t *png, size_t png_count, char *message) {
    memset(reading, 0, sizeof *reading);
    reading->bytes = png;
    reading->count = png_count;
    reading->status = IMAGE_CODEC_CORRUPT;
    reading->message = message;
}

/// In the hundred-thousandths of a gAMA chunk (W3C PNG, third edition, section 11.3.2.5).
enum { srgb_gamma = 45455 };

/// Has every kind of picture come as RGBA of 8 bits, encoded as sRGB, which files without a gamma are taken to be.
static void convert_to_rgba(png_structp codec, png_infop info) {
    png_fixed_point gamma = srgb_gamma;
    png_get_gAMA_fixed(codec, info, &gamma);
    png_set_gamma_fixed(codec, PNG_DEFAULT_sRGB, gamma);
    png_set_expand(codec);
    png_set_scale_16(codec);
    png_set_gray_to_rgb(codec);
    png_set_add_alpha(codec, 0xFF, PNG_FILLER_AFTER);
}

// In the two functions below only `reading`, which outlives their frames, changes after setjmp.

static image_codec_status run_verify(reading *reading) {
    if (setjmp(reading->caught)) return reading->status;
    const image_codec_status status = open_png(reading);
    if (status != IMAGE_CODEC_OK) return status;
    const size_t rows = row_count(reading->codec, reading->info);
    for (size_t row = 0; row < rows; row++) png_read_row(reading->codec, NULL, NULL);
    png_read_end(reading->codec, NULL);
    return IMAGE_CODEC_OK;
}

// Not by libpng's simplified interface: it wrote past the rows of a picture that is interlaced and has 16 bits (CVE-2025-65018),
// and in the version that Debian mended (1.6.39-2+deb12u4) makes another picture of it.
static image_codec_status run_decode(reading *reading, uint8_t *rgba, size_t rgba_count) {
    if (setjmp(reading->caught)) return reading->status;
    const image_codec_status status = open_png(reading);
    if (status != IMAGE_CODEC_OK) return status;
    convert_to_rgba(reading->codec, reading->info);
    const int passes = png_set_interlace_handling(reading->codec);
    png_read_update_info(reading->codec, reading->info);
    const size_t height = png_get_image_height(reading->codec, reading->info);
    const size_t stride = (size_t)png_get_image_width(reading->codec, reading->info) * 4;
    if (png_get_rowbytes(reading->codec, reading->info) != stride || stride * height != rgba_count) {
        png_error(reading->codec, "the header changed while it was read");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (size_t row = 0; row < height; row++) png_read_row(reading->codec, rgba + row * stride, NULL);
    }
    png_read_end(reading->codec, NULL);
    return IMAGE_CODEC_OK;
}

image_codec_status png_codec_verify(const uint8_t *png, size_t png_count, char *message) {
    reading reading;
    prepare(&reading, png, png_count, message);
    image_codec_status status = run_verify(&reading);
    png_destroy_read_struct(&reading.codec, &reading.info, NULL);
    return status;
}

image_codec_status png_codec_decode(const uint8_t *png, size_t png_count, uint8_t *rgba, size_t rgba_count,
                                    char *message) {
    reading reading;
    prepare(&reading, png, png_count, message);
    image_codec_status status = run_decode(&reading, rgba, rgba_count);
    png_destroy_read_struct(&reading.codec, &reading.info, NULL);
    return status;
}
