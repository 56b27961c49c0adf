// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stddef.h>
#include <stdint.h>

// libjpeg and libpng report errors by longjmp, which must not cross Swift frames. Every function here catches
// it, releases what it holds and returns a status; on failure `message` holds a terminated description.

#define IMAGE_CODEC_MESSAGE_SIZE 256

typedef enum {
    IMAGE_CODEC_OK,
    IMAGE_CODEC_TRUNCATED,
    IMAGE_CODEC_CORRUPT,
    IMAGE_CODEC_UNSUPPORTED,
    IMAGE_CODEC_OUT_OF_MEMORY,
} image_codec_status;

/// Encodes packed RGB rows as a baseline JPEG. Chroma is sampled once per horizontal x vertical luma samples.
/// On success `*jpeg` is released with free().
image_codec_status jpeg_codec_encode(const uint8_t *rgb, int32_t width, int32_t height, int32_t quality,
                                     int32_t horizontal, int32_t vertical, uint8_t **jpeg, size_t *jpeg_count,
                                     char *message);

/// The dimensions of a JPEG decoded at 1/denominator (1, 2, 4 or 8).
image_codec_status jpeg_codec_decoded_size(const uint8_t *jpeg, size_t jpeg_count, int32_t denominator,
                                           int32_t *width, int32_t *height, char *message);

/// Decodes at 1/denominator into packed RGB rows; `rgb_count` is what jpeg_codec_decoded_size announced.
image_codec_status jpeg_codec_decode(const uint8_t *jpeg, size_t jpeg_count, int32_t denominator, uint8_t *rgb,
                                     size_t rgb_count, char *message);

/// Decodes every sample, keeping one row, to prove that the file is whole.
image_codec_status jpeg_codec_verify(const uint8_t *jpeg, size_t jpeg_count, char *message);

/// Decodes into packed RGBA rows, `rgba_count` bytes in all.
image_codec_status png_codec_decode(const uint8_t *png, size_t png_count, uint8_t *rgba, size_t rgba_count,
                                    char *message);

/// Encodes packed RGB rows as a PNG. On success `*png` is released with free().
image_codec_status png_codec_encode(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **png, size_t *png_count,
                                    char *message);

/// The dimensions of a WebP that is no animation, from its picture.
image_codec_status webp_codec_size(const uint8_t *webp, size_t webp_count, int32_t *width, int32_t *height, char *message);

/// Decodes into packed RGBA rows of a picture scaled to width x height, `rgba_count` bytes in all.
image_codec_status webp_codec_decode(const uint8_t *webp, size_t webp_count, int32_t width, int32_t height, uint8_t *rgba,
                                     size_t rgba_count, char *message);

/// Whether the primary picture of a HEIF file has an alpha.
image_codec_status heif_codec_has_alpha(const uint8_t *heif, size_t heif_count, int32_t *has_alpha, char *message);

/// Decodes a picture that is seen as width x height, cut and turned, into packed rows: RGB, or RGBA if the alpha is kept.
image_codec_status heif_codec_decode(const uint8_t *heif, size_t heif_count, int32_t width, int32_t height,
                                     int32_t keeps_alpha, uint8_t *pixels, char *message);

/// Reduces packed rows of 1 to 4 channels to a picture no wider and no higher, each pixel the mean of the area that it covers.
image_codec_status image_reduce(const uint8_t *pixels, int32_t channel_count, int32_t width, int32_t height,
                                uint8_t *reduced, int32_t reduced_width, int32_t reduced_height, char *message);

/// Decodes every sample, keeping one row, and reads to the end marker.
image_codec_status png_codec_verify(const uint8_t *png, size_t png_count, char *message);
