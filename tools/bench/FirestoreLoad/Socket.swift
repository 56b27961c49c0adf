// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A connected TCP socket.
struct Socket {
    let descriptor: Int32

    init(host: String, port: UInt16) throws(LoadError) {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw .system("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw LoadError(message: "\(host) is not an IPv4 address")
        }
        let descriptor = descriptor
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                connect(descriptor, general, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw .system("connect to \(host):\(port)", errno) }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// How long a read that waits does so.
    func setTimeout(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// How many bytes were read; `nil` when none are there yet, or none came while it waited.
    func read(into buffer: UnsafeMutableRawBufferPointer, waits: Bool) throws(LoadError) -> Int? {
        var count: Int
        repeat {
            count = recv(descriptor, buffer.baseAddress, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
        } while count < 0 && errno == EINTR
        if count > 0 { return count }
        if count == 0 { throw LoadError(message: "the server closed the connection") }
        guard errno == EAGAIN else { throw .system("recv", errno) }
        return nil
    }

    /// How many bytes were written; none when the socket is full.
    func write(_ bytes: UnsafeRawBufferPointer) throws(LoadError) -> Int {
        #if canImport(Darwin)
        let count = send(descriptor, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
        #else
        let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        #endif
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw .system("send", errno) }
        return 0
    }

    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }
}
