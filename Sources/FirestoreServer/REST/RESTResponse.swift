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
    /// The documents that were read, and are read for the rest; `nil` where no session is recorded.
    let reads: ReadDocuments?
    /// The rule that decided about the call; `nil` without rules.
    let rule: String?

    /// Creates an answer whose body counts as egress.
    init(status: Int, contentType: String, body: [UInt8], rest: RESTAnswerRest? = nil, usage: CallUsage) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.rest = rest
        self.attribution = usage.attribution
        self.billed = usage.billed
        (reads, rule) = (usage.reads, usage.rule)
        self.billed.egressBytes = Int64(body.count)
    }
}

/// The body that answers a call: all of it, or its beginning and how to make the rest.
struct RESTAnswer {
    let body: [UInt8]
    var rest: RESTAnswerRest?

    init(body: [UInt8], rest: RESTAnswerRest? = nil) {
        self.body = body
        self.rest = rest
    }
}

/// The end of a long answer, made piece by piece while it is sent.
// Unchecked because one task at a time takes pieces, and `make` is kept nowhere else.
package final class RESTAnswerRest: @unchecked Sendable {
    /// Some of the body.
    package struct Piece: Sendable {
        package let bytes: [UInt8]
        /// The bill for it.
        package let billed: BilledUsage
    }

    private let make: () -> Piece?

    init(_ make: @escaping () -> Piece?) {
        self.make = make
    }

    /// The next piece; `nil` at the end of the body.
    ///
    /// A failure is a piece, too, the last one. Blocks the calling thread while the store works.
    package func next() -> Piece? { make() }
}
