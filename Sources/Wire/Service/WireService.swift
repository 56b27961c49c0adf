// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HummingbirdCore
package import JSONWriting
package import Metering

/// A server behind one listening port.
package protocol WireService: Sendable {
    /// The service that requests are metered under.
    var meteredService: UsageAttribution.Service { get }
    /// The largest request body that is read, in bytes; a larger one is answered by ``refuseBody(ofByteCount:)``.
    var bodyByteCountMax: Int64 { get }
    /// Answers a request.
    func respond(to request: Request, exchange: Exchange) async -> Response
    /// Answers a request whose declared body is larger than ``bodyByteCountMax``.
    func refuseBody(exchange: Exchange) -> Response
    /// The text of an answer to a request whose head is refused; by default Google's form of an error.
    func errorBody(of refusal: HeadRefusal) -> JSONText
    /// Whether answers may ever be given again without asking, see ``Exchange/mayRepeat(while:)``.
    var repeatsAnswers: Bool { get }
    /// Answers the streams of HTTP/2; `nil` where only HTTP/1.1 is spoken.
    var streamService: (any WireStreamService)? { get }
}

extension WireService {
    package var repeatsAnswers: Bool { false }
    package var streamService: (any WireStreamService)? { nil }
}
