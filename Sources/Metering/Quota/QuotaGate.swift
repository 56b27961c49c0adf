// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reports to servers which requests production would refuse when a quota is used up.
public protocol QuotaGate: Sendable {
    /// Whether one of the items is used up, and requests that need it are refused.
    func isOver(_ items: [BillableItem]) -> Bool
}
