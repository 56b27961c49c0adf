// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "image_codecs.h"

// A pixel of the result is the mean of the area that it covers. Lengths are counted in units in which both pictures
// are `from * to` long, so that every share is a whole number and the result the same on every machine. Columns are
// added up first, which the compiler does for many at once, then rows.

/// The most rows: 255 of each still add up in 32 bits.
enum { row_count_max = 1 << 24 };

enum { channel_count_max = 4 };

/// What a pixel of the result covers of a side: shares of the first and of the last pixel, where they differ, and the
/// whole of those between.
typedef struct {
    size_t first, last;
    uint32_t first_share, last_share;
} span;

typedef struct {
    size_t channels, width, reduced_width;
    /// Of the whole picture, and so of what a pixel of the result covers, in units.
    uint64_t area;
    double area_share;
    /// What each pixel of a reduced row covers.
    span *spans;
    /// The sums of the columns, one for each sample of a row.
    uint32_t *sums;
} reduction;

static span span_of(size_t target, size_t from, size_t to) {
    const size_t start = target * from, end = start + from;
    const size_t first = start / to, last = (end - 1) / to;
    return (span){first, last, (uint32_t)((first + 1) * to - start), (uint32_t)(end - last * to)};
}

static void add_row(const uint8_t *row, size_t count, uint32_t share, uint32_t *sums) {
    for (size_t sample = 0; sample < count; sample++) sums[sample] += share * row[sample];
}

static void add_columns(const uint8_t *pixels, span rows, uint32_t share, const reduction *reduction) {
    const size_t count = reduction->width * reduction->channels;
    memset(reduction->sums, 0, count * sizeof *reduction->sums);
    add_row(pixels + rows.first * count, count, rows.first_share, reduction->sums);
    if (rows.last == rows.first) return;
    for (size_t row = rows.first + 1; row < rows.last; row++) add_row(pixels + row * count, count, share, reduction->sums);
    add_row(pixels + rows.last * count, count, rows.last_share, reduction->sums);
}

/// The sum divided by the area, rounded; a division of whole numbers would take longer than all the rest.
static uint8_t mean_of(uint64_t sum, const reduction *reduction) {
    const uint64_t rounded = sum + reduction->area / 2;
    uint64_t mean = (uint64_t)((double)rounded * reduction->area_share);
    // The product is rounded, too, and may lie on the other side of a whole number.
    mean -= mean * reduction->area > rounded;
    mean += (mean + 1) * reduction->area <= rounded;
    return (uint8_t)mean;
}

static inline void add_column(const uint32_t *sums, size_t channels, uint32_t share, uint64_t *areas) {
    for (size_t channel = 0; channel < channels; channel++) areas[channel] += (uint64_t)share * sums[channel];
}

/// Adds up the columns' sums by the pixels that they fall into; inlined, so that the channels are a constant.
static inline __attribute__((always_inline)) void reduce_sums(const reduction *reduction, size_t channels,
                                                              uint8_t *reduced) {
    for (size_t target = 0; target < reduction->reduced_width; target++, reduced += channels) {
        const span covered = reduction->spans[target];
        const uint32_t *sums = reduction->sums + covered.first * channels;
        const uint32_t *last = reduction->sums + covered.last * channels;
        uint64_t areas[channel_count_max] = {0};
        add_column(sums, channels, covered.first_share, areas);
        for (sums += channels; sums < last; sums += channels)
            add_column(sums, channels, (uint32_t)reduction->reduced_width, areas);
        if (covered.last > covered.first) add_column(last, channels, covered.last_share, areas);
        for (size_t channel = 0; channel < channels; channel++) reduced[channel] = mean_of(areas[channel], reduction);
    }
}

static void reduce_rows(const uint8_t *pixels, size_t from, size_t to, const reduction *reduction, uint8_t *reduced) {
    for (size_t target = 0; target < to; target++, reduced += reduction->reduced_width * reduction->channels) {
        add_columns(pixels, span_of(target, from, to), (uint32_t)to, reduction);
        if (reduction->channels == 3) reduce_sums(reduction, 3, reduced);
        else reduce_sums(reduction, reduction->channels, reduced);
    }
}

image_codec_status image_reduce(const uint8_t *pixels, int32_t channel_count, int32_t width, int32_t height,
                                uint8_t *reduced, int32_t reduced_width, int32_t reduced_height, char *message) {
    if (height > row_count_max) {
        strcpy(message, "it has more than 16,777,216 rows");
        return IMAGE_CODEC_UNSUPPORTED;
    }
    reduction reduction = {.channels = (size_t)channel_count, .width = (size_t)width, .reduced_width = (size_t)reduced_width};
    reduction.area = (uint64_t)width * (uint64_t)height;
    reduction.area_share = 1.0 / (double)reduction.area;
    reduction.spans = malloc(reduction.reduced_width * sizeof *reduction.spans);
    reduction.sums = malloc(reduction.width * reduction.channels * sizeof *reduction.sums);
    const int has_memory = reduction.spans && reduction.sums;
    if (has_memory) {
        for (size_t target = 0; target < reduction.reduced_width; target++)
            reduction.spans[target] = span_of(target, reduction.width, reduction.reduced_width);
        reduce_rows(pixels, (size_t)height, (size_t)reduced_height, &reduction, reduced);
    } else {
        strcpy(message, "out of memory");
    }
    free(reduction.spans);
    free(reduction.sums);
    return has_memory ? IMAGE_CODEC_OK : IMAGE_CODEC_OUT_OF_MEMORY;
}
