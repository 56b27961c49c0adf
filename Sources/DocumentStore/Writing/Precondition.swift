// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The precondition of a write on the stored document.
package enum Precondition: Sendable, Equatable {
    case exists(Bool)
    /// The document exists and was last changed at this time.
    case updateTime(Timestamp)
}
