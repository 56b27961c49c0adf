// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include "firemeter_crc32c.h"

#include <string.h>

// The reflected Castagnoli polynomial (RFC 3720, appendix B.4). The table is for half-bytes: 64 bytes that
// need no start-up code, enough for processors without CRC instructions.
static const uint32_t half_byte_table[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t firemeter_crc32c_extend_portable(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    uint32_t state = ~crc;
    for (; count > 0; count--) {
        state ^= *next++;
        state = (state >> 4) ^ half_byte_table[state & 15];
        state = (state >> 4) ^ half_byte_table[state & 15];
    }
    return ~state;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

__attribute__((target("sse4.2")))
static uint32_t extend_with_instructions(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    uint64_t state = (uint32_t)~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);  // compiles to one load, whatever the alignment
        state = _mm_crc32_u64(state, word);
    }
    for (; count > 0; count--) {
        state = _mm_crc32_u8((uint32_t)state, *next++);
    }
    return ~(uint32_t)state;
}

static int has_instructions(void) {
    return __builtin_cpu_supports("sse4.2");
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

static uint32_t extend_with_instructions(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    uint32_t state = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        state = __crc32cd(state, word);
    }
    for (; count > 0; count--) {
        state = __crc32cb(state, *next++);
    }
    return ~state;
}

static int has_instructions(void) {
    return 1;
}

#else

static uint32_t extend_with_instructions(uint32_t crc, const void *bytes, size_t count) {
    return firemeter_crc32c_extend_portable(crc, bytes, count);
}

static int has_instructions(void) {
    return 0;
}

#endif

uint32_t firemeter_crc32c_extend(uint32_t crc, const void *bytes, size_t count) {
    return has_instructions() ? extend_with_instructions(crc, bytes, count)
                              : firemeter_crc32c_extend_portable(crc, bytes, count);
}
