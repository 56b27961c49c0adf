// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names a transaction to its client: opaque bytes, drawn at random and forgotten when the store closes.
package struct TransactionID: Hashable, Sendable {
    /// Enough that none is guessed or drawn twice.
    static let byteCount = 16

    package let bytes: [UInt8]

    /// Takes the bytes a client sent, whether or not they name a transaction.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Draws a new one.
    init(using randomness: inout some RandomNumberGenerator) {
        self.bytes = (0..<Self.byteCount).map { _ in .random(in: .min ... .max, using: &randomness) }
    }
}
