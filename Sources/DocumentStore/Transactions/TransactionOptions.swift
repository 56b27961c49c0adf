// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The purpose of a transaction.
package enum TransactionOptions: Sendable, Equatable {
    /// Locks what it reads. One that takes the place of an aborted attempt, in any state, inherits its age,
    /// so that it no longer loses to those that came later.
    case readWrite(retrying: TransactionID?)
    /// Reads as of one moment and never waits: the given time, else the time of its first read.
    case readOnly(readTime: Timestamp?)
}
