// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What must hold of the stored document for a write to happen.
package enum Precondition: Sendable, Equatable {
    case exists(Bool)
    /// The document exists and was last changed at this time.
    case updateTime(Timestamp)
}
