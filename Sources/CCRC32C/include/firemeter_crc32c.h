// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#ifndef FIREMETER_CRC32C_H
#define FIREMETER_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// Extends a CRC-32C (Castagnoli) checksum over more bytes; the checksum of no bytes is 0.
///
/// Extending the checksum of A by B gives the checksum of A followed by B. Uses the processor's CRC
/// instructions where there are any, and a table elsewhere.
uint32_t firemeter_crc32c_extend(uint32_t crc, const void *bytes, size_t count);

/// The table implementation alone, for comparison with the processor's in tests.
uint32_t firemeter_crc32c_extend_portable(uint32_t crc, const void *bytes, size_t count);

#endif
