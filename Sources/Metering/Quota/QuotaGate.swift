// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Tells servers which requests production would refuse for want of quota.
public protocol QuotaGate: Sendable {
    /// Whether one of the items is used up, and requests that need it are refused.
    func isOver(_ items: [BillableItem]) -> Bool
}
