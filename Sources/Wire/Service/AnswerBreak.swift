// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A connection that a server ends on purpose, so that clients can be tried against broken networks.
///
/// The body of a response throws it to end the connection behind the bytes that it has written, although the head
/// promised more. See ``Exchange/resetConnection()`` for an end without any answer.
package struct AnswerBreak: Error {
    /// Creates the end of a connection.
    package init() {}
}

extension AnswerBreak {
    /// Returns when the kernel has what was written to a channel before; the server closes it then.
    ///
    /// A close throws away what is still queued above the kernel.
    static func deliver(_ channel: any Channel) async {
        // Parts are written in order, and an empty one adds no byte. A client that is gone has nothing to wait for.
        try? await channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer())).get()
    }

    /// Ends a connection with a TCP reset.
    static func reset(_ channel: any Channel) async {
        // Here, as the HTTP library would end the sending side first.
        try? await resetting(channel).get()
    }

    /// Ends a connection with a TCP reset; the future is that of its close.
    static func resetting(_ channel: any Channel) -> EventLoopFuture<Void> {
        // A socket that lingers for no time is reset when its last descriptor closes (socket(7)).
        guard let options = channel as? any SocketOptionProvider else { return channel.close() }
        let isSet = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        return isSet.recover { _ in }.flatMap { channel.close() }
    }
}
