// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HummingbirdCore
package import JSON
package import Metering
import NIOCore

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
    /// Runs beside the answers for as long as the server accepts connections, until it is cancelled.
    func run() async throws
    /// Answers the streams of HTTP/2; `nil` where only HTTP/1.1 is spoken.
    var streamService: (any WireStreamService)? { get }
}

extension WireService {
    package var repeatsAnswers: Bool { false }
    package var streamService: (any WireStreamService)? { nil }
    package func run() async throws {}
}

/// Why a port cannot be served.
package struct WireError: Error, CustomStringConvertible {
    /// The problem, and how to remedy it.
    package let description: String
    /// Whether another process, or another service, listens there.
    let isPortInUse: Bool

    static func cannotListen(host: String, port: Int, error: any Error) -> Self {
        let number = (error as? IOError)?.errnoCode
        let remedy =
            switch number {
            case EADDRINUSE: "the port is in use; stop what listens there or choose another port (0 picks a free one)"
            case EACCES: "the port is privileged; choose one from 1024 up"
            case EADDRNOTAVAIL: "no interface of this machine has that address"
            case nil where error is SocketAddressError: "the host is unknown; give an address of this machine"
            default: String(describing: error)
            }
        return Self(
            description: "cannot listen on \(host):\(port): \(remedy)",
            isPortInUse: number == EADDRINUSE
        )
    }
}
