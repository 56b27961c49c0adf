// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient

/// A policy that a trace can be compared with: one of the client's, or the one that knows the future.
package enum SimulatedPolicy: Sendable, Hashable {
    /// One that the client caches with.
    case client(CachePolicyChoice)
    /// The one that knows the future, see ``BeladyCache``.
    case belady

    /// All of them, in the order in which reports show them.
    package static let all = CachePolicyChoice.all.map(Self.client) + [.belady]

    /// The policy's name, such as `sieve`.
    package var name: String {
        switch self {
        case .client(let choice): choice.name
        case .belady: "belady"
        }
    }

    /// Finds a policy by its name; `nil` where there is none.
    package init?(named name: String) {
        guard let policy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = policy
    }
}
