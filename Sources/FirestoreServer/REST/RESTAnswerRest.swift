// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The end of a long answer, made piece by piece while it is sent.
// Unchecked because one task at a time takes pieces, and `make` is kept nowhere else.
package final class RESTAnswerRest: @unchecked Sendable {
    /// Some of the body.
    package struct Piece: Sendable {
        package let bytes: [UInt8]
        /// The bill for it.
        package let billed: BilledUsage
    }

    private let make: () -> Piece?

    init(_ make: @escaping () -> Piece?) {
        self.make = make
    }

    /// The next piece; `nil` at the end of the body.
    ///
    /// A failure is a piece, too, the last one. Blocks the calling thread while the store works.
    package func next() -> Piece? { make() }
}
