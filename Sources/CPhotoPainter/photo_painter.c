// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include "photo_painter.h"

enum {
    tile_mask = PHOTO_TILE_SIDE - 1,
    channels = PHOTO_CELL_CHANNELS,
    // Interpolating twice scales by the cell's side twice.
    interpolated_bits = PHOTO_CELL_FRACTION_BITS + 4 + 4,
};

_Static_assert(PHOTO_CELL_SIDE == 1 << 4, "interpolated_bits counts the bits of a cell's side");

static inline uint8_t clamped(int32_t value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

/// Interpolates the grid down to row y.
static void fill_line(const photo_layer *layer, int32_t *line, int32_t y) {
    const int32_t count = layer->cell_columns * channels;
    const int16_t *upper = layer->cells + (y / PHOTO_CELL_SIDE) * count;
    const int16_t *lower = upper + count;
    const int32_t weight = y % PHOTO_CELL_SIDE;
    for (int32_t i = 0; i < count; i++) {
        line[i] = upper[i] * (PHOTO_CELL_SIDE - weight) + lower[i] * weight;
    }
}

static void paint_row(const photo_layer *layer, const int32_t *line, uint8_t *row, int32_t width, int32_t y) {
    const int8_t *texture = layer->texture + ((y + layer->texture_y) & tile_mask) * PHOTO_TILE_SIDE;
    const int8_t *grain = layer->grain + ((y + layer->grain_y) & tile_mask) * PHOTO_TILE_SIDE;
    const int32_t texture_x = layer->texture_x, grain_x = layer->grain_x, grain_gain = layer->grain_gain;
    const int32_t tint_red = layer->tint[0], tint_green = layer->tint[1], tint_blue = layer->tint[2];
    const int32_t *top = layer->top;
    for (int32_t left = 0; left < width; left += PHOTO_CELL_SIDE, line += channels) {
        const int32_t right = left + PHOTO_CELL_SIDE < width ? left + PHOTO_CELL_SIDE : width;
        int32_t red = line[0] * PHOTO_CELL_SIDE, green = line[1] * PHOTO_CELL_SIDE;
        int32_t blue = line[2] * PHOTO_CELL_SIDE, gain = line[3] * PHOTO_CELL_SIDE;
        const int32_t red_step = line[4] - line[0], green_step = line[5] - line[1];
        const int32_t blue_step = line[6] - line[2], gain_step = line[7] - line[3];
        for (int32_t x = left; x < right; x++) {
            if (y >= top[x]) {
                const int32_t rough = (texture[(x + texture_x) & tile_mask] * (gain >> interpolated_bits)) >> 7;
                const int32_t fine = (grain[(x + grain_x) & tile_mask] * grain_gain) >> 7;
                uint8_t *pixel = row + x * 3;
                pixel[0] = clamped((red >> interpolated_bits) + ((rough * tint_red) >> 7) + fine);
                pixel[1] = clamped((green >> interpolated_bits) + ((rough * tint_green) >> 7) + fine);
                pixel[2] = clamped((blue >> interpolated_bits) + ((rough * tint_blue) >> 7) + fine);
            }
            red += red_step;
            green += green_step;
            blue += blue_step;
            gain += gain_step;
        }
    }
}

void photo_paint_layer(const photo_layer *layer, int32_t *line, uint8_t *rgb, int32_t width, int32_t height) {
    int32_t first = height;
    for (int32_t x = 0; x < width; x++) {
        if (layer->top[x] < first) first = layer->top[x];
    }
    if (first < 0) first = 0;
    for (int32_t y = first; y < height; y++) {
        fill_line(layer, line, y);
        paint_row(layer, line, rgb + (int64_t)y * width * 3, width, y);
    }
}
