// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// What a call turned out to be about and what it is billed as, collected while it runs.
///
/// A call that throws keeps what it had collected: a get of a missing document is billed a read.
package struct CallUsage: Sendable, Equatable {
    /// What the call is about.
    package var attribution: UsageAttribution
    /// The documents counted so far.
    package var billed = BilledUsage.zero

    /// Starts with nothing billed.
    ///
    /// - Parameter call: The RPC's name, such as `runQuery`.
    package init(call: String) {
        attribution = UsageAttribution(service: .firestore, operation: "firestore.\(call)")
    }
}
