// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The documents of a read, which a read-write transaction locks.
package enum TransactionRead: Sendable {
    /// Documents by name, those missing too.
    case documents([DocumentPath])
    /// All documents that match a query or come to match it, whatever its limit and offset.
    case query(Query)
}
