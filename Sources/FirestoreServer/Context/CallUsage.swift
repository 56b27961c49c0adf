// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The subject of a call and its bill.
package struct CallUsage: Sendable, Equatable {
    /// The database, collection and query of the call, and its user.
    package var attribution: UsageAttribution
    /// The documents read, written and deleted so far.
    package var billed = BilledUsage.zero

    /// Starts with nothing billed.
    ///
    /// - Parameter call: The operation's name in usage records, such as `runQuery`.
    package init(call: String) {
        attribution = UsageAttribution(service: .firestore, operation: "firestore.\(call)")
    }
}
