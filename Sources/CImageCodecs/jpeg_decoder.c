// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <string.h>

#include "jpeg_errors.h"

/// A progressive file may repeat a scan of few bytes over the whole picture; encoders write about ten.
enum { scan_count_max = 100 };

typedef struct {
    jpeg_errors errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct codec;
} decoding;

typedef struct {
    int32_t denominator;
    uint8_t *rgb;
    size_t rgb_count;
} decoding_target;

static void limit_scans(j_common_ptr codec) {
    if (((j_decompress_ptr)codec)->input_scan_number <= scan_count_max) return;
    jpeg_errors_leave(codec, IMAGE_CODEC_UNSUPPORTED, "it has more than 100 scans");
}

static void open_jpeg(decoding *decoding, const uint8_t *jpeg, size_t jpeg_count) {
    jpeg_create_decompress(&decoding->codec);
    decoding->progress.progress_monitor = limit_scans;
    decoding->codec.progress = &decoding->progress;
    jpeg_mem_src(&decoding->codec, jpeg, jpeg_count);
    jpeg_read_header(&decoding->codec, TRUE);
}

static void scale(struct jpeg_decompress_struct *codec, int32_t denominator) {
    codec->scale_num = 1;
    codec->scale_denom = (unsigned int)denominator;
}

/// How libjpeg stores what it decodes: it converts YCCK, but leaves it to its callers to make RGB of four inks.
static J_COLOR_SPACE output_space(const struct jpeg_decompress_struct *codec) {
    return codec->jpeg_color_space == JCS_CMYK || codec->jpeg_color_space == JCS_YCCK ? JCS_CMYK : JCS_RGB;
}

static uint8_t share(uint8_t part, uint8_t of) { return (uint8_t)((part * of + 127) / 255); }

// Mixes inks to light. Adobe's files, and so all others, store them inverted: 255 is no ink.
static void convert_inks(const uint8_t *inks, size_t width, uint8_t *rgb) {
    for (size_t pixel = 0; pixel < width; pixel++, inks += 4, rgb += 3) {
        for (int channel = 0; channel < 3; channel++) rgb[channel] = share(inks[channel], inks[3]);
    }
}

static void read_row(struct jpeg_decompress_struct *codec, JSAMPARRAY inks, uint8_t *rgb) {
    if (!inks) {
        jpeg_read_scanlines(codec, &rgb, 1);
        return;
    }
    jpeg_read_scanlines(codec, inks, 1);
    convert_inks(inks[0], codec->output_width, rgb);
}

static image_codec_status close_jpeg(decoding *decoding, image_codec_status status) {
    jpeg_destroy_decompress(&decoding->codec);
    return status;
}

static void prepare(decoding *decoding, char *message) {
    memset(decoding, 0, sizeof *decoding);
    decoding->codec.err = jpeg_errors_install(&decoding->errors, message);
}

// In the three functions below only `decoding`, which outlives their frames, changes after setjmp.

static image_codec_status run_size(decoding *decoding, const uint8_t *jpeg, size_t jpeg_count, int32_t denominator) {
    if (setjmp(decoding->errors.caught)) return decoding->errors.status;
    open_jpeg(decoding, jpeg, jpeg_count);
    scale(&decoding->codec, denominator);
    jpeg_calc_output_dimensions(&decoding->codec);
    return IMAGE_CODEC_OK;
}

static image_codec_status run_decode(decoding *decoding, const uint8_t *jpeg, size_t jpeg_count,
                                     const decoding_target *target) {
    if (setjmp(decoding->errors.caught)) return decoding->errors.status;
    struct jpeg_decompress_struct *codec = &decoding->codec;
    open_jpeg(decoding, jpeg, jpeg_count);
    scale(codec, target->denominator);
    codec->out_color_space = output_space(codec);
    jpeg_start_decompress(codec);
    const size_t stride = (size_t)codec->output_width * 3;
    if (stride * codec->output_height != target->rgb_count) {
        jpeg_errors_leave((j_common_ptr)codec, IMAGE_CODEC_CORRUPT, "the header changed while it was read");
    }
    JSAMPARRAY inks = NULL;
    if (codec->out_color_space == JCS_CMYK) {
        inks = codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * 4, 1);
    }
    while (codec->output_scanline < codec->output_height) {
        read_row(codec, inks, target->rgb + codec->output_scanline * stride);
    }
    jpeg_finish_decompress(codec);
    return IMAGE_CODEC_OK;
}

static image_codec_status run_verify(decoding *decoding, const uint8_t *jpeg, size_t jpeg_count) {
    if (setjmp(decoding->errors.caught)) return decoding->errors.status;
    struct jpeg_decompress_struct *codec = &decoding->codec;
    open_jpeg(decoding, jpeg, jpeg_count);
    // No conversion: faster, and proves CMYK files as well.
    codec->out_color_space = codec->jpeg_color_space;
    codec->do_fancy_upsampling = FALSE;
    jpeg_start_decompress(codec);
    JSAMPARRAY row = codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE,
                                              codec->output_width * (JDIMENSION)codec->output_components, 1);
    while (codec->output_scanline < codec->output_height) jpeg_read_scanlines(codec, row, 1);
    // Reads on to the end marker, so a file that lacks only that is found too.
    jpeg_finish_decompress(codec);
    return IMAGE_CODEC_OK;
}

image_codec_status jpeg_codec_decoded_size(const uint8_t *jpeg, size_t jpeg_count, int32_t denominator,
                                           int32_t *width, int32_t *height, char *message) {
    decoding decoding;
    prepare(&decoding, message);
    image_codec_status status = run_size(&decoding, jpeg, jpeg_count, denominator);
    *width = (int32_t)decoding.codec.output_width;
    *height = (int32_t)decoding.codec.output_height;
    return close_jpeg(&decoding, status);
}

image_codec_status jpeg_codec_decode(const uint8_t *jpeg, size_t jpeg_count, int32_t denominator, uint8_t *rgb,
                                     size_t rgb_count, char *message) {
    decoding decoding;
    prepare(&decoding, message);
    const decoding_target target = {denominator, rgb, rgb_count};
    return close_jpeg(&decoding, run_decode(&decoding, jpeg, jpeg_count, &target));
}

image_codec_status jpeg_codec_verify(const uint8_t *jpeg, size_t jpeg_count, char *message) {
    decoding decoding;
    prepare(&decoding, message);
    return close_jpeg(&decoding, run_verify(&decoding, jpeg, jpeg_count));
}
