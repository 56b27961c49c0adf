// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes each pass over a request that is judged in phases.
struct PassObserver {
    /// Whether it needs the value of each node.
    let needsValues: Bool
    let take: (borrowing RulesPass) -> Void
}
