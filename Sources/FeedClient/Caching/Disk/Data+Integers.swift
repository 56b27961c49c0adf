// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C
import Foundation

extension Data {
    /// The CRC-32C of the bytes, as Cloud Storage reports it of an object.
    package var crc32c: UInt32 { withUnsafeBytes { firemeter_crc32c_extend(0, $0.baseAddress, $0.count) } }

    /// Appends an integer, its lowest byte first.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    /// The integer at an offset from the start, its lowest byte first.
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
        withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
