// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import NIOConcurrencyHelpers

/// One request and its response, as far as the server that answers it may describe them to the meter.
///
/// The bytes are counted on the connection; the server only says what they were for.
package final class Exchange: Sendable {
    private struct Filing {
        var attribution: UsageAttribution
        var billing: BillingRule
    }

    /// Longer texts of an attribution are cut to this many bytes: clients write them, and every record keeps them.
    package static let textByteCountMax = 2_048

    private let filing: NIOLockedValueBox<Filing>

    /// Creates an exchange that is attributed to `attribution` and billed as nothing until told better.
    package init(attribution: UsageAttribution) {
        filing = NIOLockedValueBox(Filing(attribution: attribution, billing: .free))
    }

    /// Says what the exchange is about and how it is billed; the last call before the response ends counts.
    ///
    /// The client and the user, which the connection reads off the request head, are kept where `attribution` names none.
    package func attribute(to attribution: UsageAttribution, billing: BillingRule) {
        filing.withLockedValue { filing in
            var attribution = attribution
            attribution.client = attribution.client ?? filing.attribution.client
            attribution.user = attribution.user ?? filing.attribution.user
            attribution.collection = attribution.collection.map(Self.cut)
            attribution.queryShape = attribution.queryShape.map(Self.cut)
            attribution.database = attribution.database.map(Self.cut)
            filing = Filing(attribution: attribution, billing: billing)
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= textByteCountMax ? text : String(decoding: text.utf8.prefix(textByteCountMax), as: UTF8.self)
    }

    func settled() -> (attribution: UsageAttribution, billing: BillingRule) {
        filing.withLockedValue { ($0.attribution, $0.billing) }
    }
}
