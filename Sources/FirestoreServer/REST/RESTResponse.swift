// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// An answer of the REST face and what metering it needs to know.
package struct RESTResponse: Sendable {
    /// The HTTP status.
    package var status: Int
    /// The media type of the body.
    package var contentType: String
    /// The body: JSON in UTF-8, within a call of a function where the client asks for one; of a long answer its beginning.
    package var body: [UInt8]
    /// The rest of a long answer.
    package let rest: RESTAnswerRest?
    /// The target of the request.
    package var attribution: UsageAttribution
    /// The billed usage; `egressBytes` is the length of the body, and each piece of the rest adds its own bill.
    package var billed: BilledUsage

    /// Creates an answer whose body counts as egress.
    init(status: Int, contentType: String, body: [UInt8], rest: RESTAnswerRest? = nil, usage: CallUsage) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.rest = rest
        self.attribution = usage.attribution
        self.billed = usage.billed
        self.billed.egressBytes = Int64(body.count)
    }
}
