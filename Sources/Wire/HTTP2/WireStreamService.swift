// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHPACK

/// Answers the streams of HTTP/2 connections.
package protocol WireStreamService: Sendable {
    /// Begins to answer a new stream with this head, which the handler is then given; called on the connection's event loop.
    ///
    /// - Returns: `nil` to leave the stream to ``WireService/respond(to:exchange:)``, as over HTTP/1.1.
    func open(_ stream: WireStream, head: HPACKHeaders) -> (any WireStreamHandler)?

    /// Runs what streams would do together.
    var executor: BlockingExecutor { get }

    /// Runs for as long as the server accepts connections, until it is cancelled.
    func run() async throws
}

/// Answers one HTTP/2 stream; all calls come on the connection's event loop.
package protocol WireStreamHandler: AnyObject {
    /// The request's head has come.
    func received(_ headers: HPACKHeaders, endsRequest: Bool)
    /// A part of the request's body has come; it is counted against the client until ``WireStream/consumed(_:)``.
    func received(_ data: ByteBuffer, endsRequest: Bool)
    /// No more frames have come for now.
    ///
    /// Small work is done here if it may be at once; what is returned is done together with that of other streams.
    func readCompleted(atOnce: Bool) -> ReadWork
    /// The written bytes have left, so that the client can be sent more.
    func mayWriteAgain()
    /// The server stops; the stream may continue for a while.
    func serverStops()
    /// The server waits no longer: the stream has to end.
    func graceEnded()
    /// The stream is gone: answered, reset, or its connection has ended.
    func closed()
}
