// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// An answer of the REST face and what metering it needs to know.
package struct RESTResponse: Sendable, Equatable {
    /// The HTTP status.
    package var status: Int
    /// The body: JSON in UTF-8.
    package var body: [UInt8]
    /// What the request was about.
    package var attribution: UsageAttribution
    /// What the price rules count; `egressBytes` is the length of the body.
    package var billed: BilledUsage

    /// Creates an answer whose body counts as egress.
    init(status: Int, body: [UInt8], usage: CallUsage) {
        self.status = status
        self.body = body
        self.attribution = usage.attribution
        self.billed = usage.billed
        self.billed.egressBytes = Int64(body.count)
    }
}
