// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "image_codecs.h"

// A pixel of the result is the mean of the area that it covers. Lengths are counted in units in which both pictures
// are `from * to` long, so that every share is a whole number and the result the same on every machine.

// Adds up a row's samples by the pixels that they fall into; `sums` holds one for each channel.
static void reduce_row(const uint8_t *row, int64_t channels, int64_t from, int64_t to, uint64_t *sums) {
    memset(sums, 0, (size_t)(to * channels) * sizeof *sums);
    for (int64_t source = 0; source < from; source++) {
        int64_t position = source * to;
        const int64_t end = position + to;
        while (position < end) {
            const int64_t target = position / from;
            const int64_t limit = (target + 1) * from < end ? (target + 1) * from : end;
            for (int64_t channel = 0; channel < channels; channel++)
                sums[target * channels + channel] += (uint64_t)(limit - position) * row[source * channels + channel];
            position = limit;
        }
    }
}

image_codec_status image_reduce(const uint8_t *pixels, int32_t channel_count, int32_t width, int32_t height,
                                uint8_t *reduced, int32_t reduced_width, int32_t reduced_height, char *message) {
    const size_t count = (size_t)reduced_width * (size_t)channel_count;
    uint64_t *row = malloc(2 * count * sizeof *row);
    if (!row) {
        strcpy(message, "out of memory");
        return IMAGE_CODEC_OUT_OF_MEMORY;
    }
    uint64_t *area = row + count;
    const uint64_t whole = (uint64_t)width * (uint64_t)height;
    const int64_t from = height, to = reduced_height;
    int64_t source = -1;
    for (int64_t target = 0; target < to; target++) {
        memset(area, 0, count * sizeof *area);
        int64_t position = target * from;
        const int64_t end = position + from;
        while (position < end) {
            if (position / to != source) {
                source = position / to;
                reduce_row(pixels + source * width * channel_count, channel_count, width, reduced_width, row);
            }
            const int64_t limit = (source + 1) * to < end ? (source + 1) * to : end;
            for (size_t sample = 0; sample < count; sample++) area[sample] += (uint64_t)(limit - position) * row[sample];
            position = limit;
        }
        for (size_t sample = 0; sample < count; sample++)
            reduced[(size_t)target * count + sample] = (uint8_t)((area[sample] + whole / 2) / whole);
    }
    free(row);
    return IMAGE_CODEC_OK;
}
