// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How large documents may be.
///
/// Source: cloud.google.com/firestore/quotas and the official emulator 1.19.9 (2026-11).
enum DocumentLimits {
    static let documentByteCountMax = 1_048_576
    /// Of one string or byte sequence: a document's size less 89 bytes.
    static let valueByteCountMax = 1_048_487
    /// How deep maps and arrays may nest.
    package static let depthMax = 20
    static let vectorDimensionMax = 2_048
    /// Of a document's name as its storage counts it: an empty document with a path of 6,127 bytes passes in
    /// production, one of 6,128 does not (recorded 2026-09).
    static let nameByteCountMax = 6_144
    /// Transforms of one write: 500 pass in production, 501 do not (recorded 2026-09).
    static let transformCountMax = 500
}
