// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdint.h>

// The only loops that touch every pixel of a rendered photo. They are in C because unoptimised Swift takes about
// a second per megapixel here, and tests build unoptimised. Integers only: the same pixels on every machine.

/// Pixels between two grid points of a layer's colours.
#define PHOTO_CELL_SIDE 16
/// Channels of a grid point: red, green, blue, texture gain.
#define PHOTO_CELL_CHANNELS 4
/// Fraction bits of a grid value.
#define PHOTO_CELL_FRACTION_BITS 6
/// Side of a noise tile, which repeats.
#define PHOTO_TILE_SIDE 512

typedef struct {
    /// Grid points, row by row; colours and gain are interpolated between them.
    const int16_t *cells;
    int32_t cell_columns;
    /// The first row that the layer covers, per pixel column.
    const int32_t *top;
    /// Tiles of PHOTO_TILE_SIDE squared values.
    const int8_t *texture;
    const int8_t *grain;
    /// Where in the tiles the layer starts.
    int32_t texture_x, texture_y, grain_x, grain_y;
    /// Strength of the grain in 1/128.
    int32_t grain_gain;
    /// Strength of the texture per colour in 1/128, so that it carries some chroma.
    int32_t tint[3];
} photo_layer;

/// Paints a layer over packed RGB rows. `line` has room for one row of the layer's grid.
void photo_paint_layer(const photo_layer *layer, int32_t *line, uint8_t *rgb, int32_t width, int32_t height);
