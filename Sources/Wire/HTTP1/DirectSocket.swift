// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Glibc)
import Glibc
#endif

/// The socket of a channel, for writes that need not wait behind others in the channel's pipeline and queue.
struct DirectSocket {
    #if os(Linux)
    private let channel: any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>

    /// Returns `nil` for a channel without a socket.
    init?(of channel: any Channel) {
        guard let core = channel._channelCore as? any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle> else {
            return nil
        }
        self.channel = core
    }

    /// Hands the kernel bytes; called on the channel's event loop, where the channel itself has nothing to write.
    ///
    /// - Returns: The number of bytes that it took. Why it did not take the others the channel finds out when it is given them.
    func send(_ bytes: ByteBuffer) -> Int {
        let count = try? channel.withUnsafeTransport { socket in
            bytes.withUnsafeReadableBytes { bytes in
                Glibc.send(socket, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
        }
        return max(0, count ?? 0)
    }
    #else
    init?(of channel: any Channel) { return nil }
    func send(_ bytes: ByteBuffer) -> Int { 0 }
    #endif
}
