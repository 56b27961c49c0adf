// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "image_codecs.h"

// libpng's simplified interface catches its own longjmp.
image_codec_status png_codec_encode(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **png, size_t *png_count,
                                    char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t count = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(count);
    if (bytes == NULL) return IMAGE_CODEC_OUT_OF_MEMORY;
    if (!png_image_write_to_memory(&image, bytes, &count, 0, rgb, 0, NULL)) {
        snprintf(message, IMAGE_CODEC_MESSAGE_SIZE, "%s", image.message);
        free(bytes);
        return IMAGE_CODEC_UNSUPPORTED;
    }
    *png = bytes;
    *png_count = count;
    return IMAGE_CODEC_OK;
}
