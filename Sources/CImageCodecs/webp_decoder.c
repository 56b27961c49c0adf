// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>

#include <webp/decode.h>

#include "image_codecs.h"

static image_codec_status failure(VP8StatusCode code, char *message) {
    const char *text;
    image_codec_status status = IMAGE_CODEC_CORRUPT;
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: text = "no memory", status = IMAGE_CODEC_OUT_OF_MEMORY; break;
    case VP8_STATUS_UNSUPPORTED_FEATURE: text = "it is animated", status = IMAGE_CODEC_UNSUPPORTED; break;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: text = "the data ends early", status = IMAGE_CODEC_TRUNCATED; break;
    default: text = "the picture's data is damaged"; break;
    }
    snprintf(message, IMAGE_CODEC_MESSAGE_SIZE, "%s", text);
    return status;
}

image_codec_status webp_codec_size(const uint8_t *webp, size_t webp_count, int32_t *width, int32_t *height, char *message) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(webp, webp_count, &features);
    if (code == VP8_STATUS_OK && features.has_animation) code = VP8_STATUS_UNSUPPORTED_FEATURE;
    if (code != VP8_STATUS_OK) return failure(code, message);
    *width = features.width;
    *height = features.height;
    return IMAGE_CODEC_OK;
}

image_codec_status webp_codec_decode(const uint8_t *webp, size_t webp_count, int32_t width, int32_t height, uint8_t *rgba,
                                     size_t rgba_count, char *message) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return failure(VP8_STATUS_INVALID_PARAM, message);
    VP8StatusCode code = WebPGetFeatures(webp, webp_count, &config.input);
    if (code != VP8_STATUS_OK) return failure(code, message);
    config.options.use_scaling = config.input.width != width || config.input.height != height;
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba;
    config.output.u.RGBA.stride = 4 * width;
    config.output.u.RGBA.size = rgba_count;
    code = WebPDecode(webp, webp_count, &config);
    WebPFreeDecBuffer(&config.output);
    return code == VP8_STATUS_OK ? IMAGE_CODEC_OK : failure(code, message);
}
