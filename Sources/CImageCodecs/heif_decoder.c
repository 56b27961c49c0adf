// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <string.h>

#include <libheif/heif.h>

#include "image_codecs.h"

/// What one call holds; zeroed, so that whatever was opened is released at its end.
typedef struct {
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    struct heif_image *image;
    char *message;
} reading;

static image_codec_status status_of_error(struct heif_error error) {
    if (error.subcode == heif_suberror_End_of_data) return IMAGE_CODEC_TRUNCATED;
    if (error.subcode == heif_suberror_Security_limit_exceeded) return IMAGE_CODEC_UNSUPPORTED;
    switch (error.code) {
    case heif_error_Memory_allocation_error: return IMAGE_CODEC_OUT_OF_MEMORY;
    case heif_error_Unsupported_feature:
    case heif_error_Unsupported_filetype: return IMAGE_CODEC_UNSUPPORTED;
    default: return IMAGE_CODEC_CORRUPT;
    }
}

static image_codec_status failure(const reading *reading, image_codec_status status, const char *text) {
    snprintf(reading->message, IMAGE_CODEC_MESSAGE_SIZE, "%s", text);
    return status;
}

static image_codec_status check(const reading *reading, struct heif_error error) {
    if (error.code == heif_error_Ok) return IMAGE_CODEC_OK;
    return failure(reading, status_of_error(error), error.message);
}

static image_codec_status open_primary(reading *reading, const uint8_t *heif, size_t heif_count) {
    reading->context = heif_context_alloc();
    if (!reading->context) return failure(reading, IMAGE_CODEC_OUT_OF_MEMORY, "no memory");
    image_codec_status status =
        check(reading, heif_context_read_from_memory_without_copy(reading->context, heif, heif_count, NULL));
    if (status != IMAGE_CODEC_OK) return status;
    return check(reading, heif_context_get_primary_image_handle(reading->context, &reading->handle));
}

static image_codec_status close_reading(reading *reading, image_codec_status status) {
    if (reading->image) heif_image_release(reading->image);
    if (reading->options) heif_decoding_options_free(reading->options);
    if (reading->handle) heif_image_handle_release(reading->handle);
    if (reading->context) heif_context_free(reading->context);
    return status;
}

static image_codec_status decode(reading *reading, enum heif_chroma chroma) {
    reading->options = heif_decoding_options_alloc();
    if (!reading->options) return failure(reading, IMAGE_CODEC_OUT_OF_MEMORY, "no memory");
    reading->options->convert_hdr_to_8bit = 1;
    reading->options->strict_decoding = 1;
    return check(reading, heif_decode_image(reading->handle, &reading->image, heif_colorspace_RGB, chroma,
                                            reading->options));
}

static image_codec_status copy_rows(const reading *reading, int32_t width, int32_t height, size_t row_count,
                                    uint8_t *pixels) {
    int stride = 0;
    const uint8_t *plane = heif_image_get_plane_readonly(reading->image, heif_channel_interleaved, &stride);
    if (!plane || heif_image_get_width(reading->image, heif_channel_interleaved) != width ||
        heif_image_get_height(reading->image, heif_channel_interleaved) != height || (size_t)stride < row_count) {
        return failure(reading, IMAGE_CODEC_CORRUPT, "its picture is not as large as the file says");
    }
    for (int32_t row = 0; row < height; row++) {
        memcpy(pixels + (size_t)row * row_count, plane + (size_t)row * (size_t)stride, row_count);
    }
    return IMAGE_CODEC_OK;
}

image_codec_status heif_codec_has_alpha(const uint8_t *heif, size_t heif_count, int32_t *has_alpha, char *message) {
    reading reading = {.message = message};
    image_codec_status status = open_primary(&reading, heif, heif_count);
    if (status == IMAGE_CODEC_OK) *has_alpha = heif_image_handle_has_alpha_channel(reading.handle) != 0;
    return close_reading(&reading, status);
}

image_codec_status heif_codec_decode(const uint8_t *heif, size_t heif_count, int32_t width, int32_t height,
                                     int32_t keeps_alpha, uint8_t *pixels, char *message) {
    reading reading = {.message = message};
    image_codec_status status = open_primary(&reading, heif, heif_count);
    if (status == IMAGE_CODEC_OK) {
        status = decode(&reading, keeps_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
    }
    if (status == IMAGE_CODEC_OK) {
        status = copy_rows(&reading, width, height, (size_t)width * (keeps_alpha ? 4 : 3), pixels);
    }
    return close_reading(&reading, status);
}
