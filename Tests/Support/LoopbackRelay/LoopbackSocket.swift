// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A blocking TCP socket on 127.0.0.1; closes itself.
package final class LoopbackSocket: Sendable {
    let descriptor: CInt

    init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// A system call on a socket failed.
    package struct Failure: Error {
        package let call: String
        package let code: CInt
    }

    private static func make() throws -> LoopbackSocket {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        return LoopbackSocket(descriptor: descriptor)
    }

    private static func withAddress<Result>(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    package static func connected(to port: UInt16) throws -> LoopbackSocket {
        let made = try make()
        let result = withAddress(port: port) { connect(made.descriptor, $0, $1) }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
        return made
    }

    static func listening() throws -> LoopbackSocket {
        let made = try make()
        guard withAddress(port: 0, { bind(made.descriptor, $0, $1) }) == 0, listen(made.descriptor, 128) == 0 else {
            throw Failure(call: "bind", code: errno)
        }
        return made
    }

    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    func accepted() -> LoopbackSocket? {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        // Else a program that another test starts would keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return LoopbackSocket(descriptor: connection)
    }

    /// Writes all bytes; false when the peer is gone.
    @discardableResult
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads up to `limit` bytes; empty at the end of the stream, `nil` when the connection broke.
    package func receive(upTo limit: Int = 65_536) -> [UInt8]? {
        var isBroken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
            let count = recv(descriptor, buffer.baseAddress, limit, 0)
            isBroken = count < 0
            used = max(0, count)
        }
        return isBroken ? nil : bytes
    }

    /// False when the connection was reset.
    @discardableResult
    package func shutdownSending() -> Bool { shutdown(descriptor, CInt(SHUT_WR)) == 0 }

    /// Wakes the thread that receives, once it has what has come.
    func shutdownReceiving() { shutdown(descriptor, CInt(SHUT_RD)) }

    func shutdownBoth() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Ends the connection with a reset, which throws away what is unread and unsent.
    ///
    /// The descriptor stays ours until the object goes, so that no other thread finds it reused.
    package func reset() {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    var unreadByteCount: Int {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}
