// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A server on a free loopback port that answers every connection's first request with the same bytes.
///
/// Without an answer, or when it is left open, it keeps the connection until the client closes it.
final class LoopbackServer: Sendable {
    private let listener: CInt
    let port: UInt16
    private let received = Locked<[String]>([])
    let closed: AsyncStream<Void>
    let arrived: AsyncStream<Void>

    // A client that hangs up early must not end the test process by a signal.
    #if canImport(Darwin)
    private static let sendFlags: CInt = 0
    #else
    private static let sendFlags = CInt(MSG_NOSIGNAL)
    #endif

    struct Failure: Error {
        let code = errno
    }

    init(answer: String?, isLeftOpen: Bool = false) throws {
        #if canImport(Darwin) || canImport(Musl)
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        port = try Self.bindToFreePort(listener)
        let (arrived, arrivals) = AsyncStream.makeStream(of: Void.self)
        let (closed, closings) = AsyncStream.makeStream(of: Void.self)
        self.arrived = arrived
        self.closed = closed
        let thread = Thread { [listener, received] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let request = Self.readHead(connection)
                received.withLock { $0.append(request) }
                arrivals.yield()
                if let answer {
                    _ = answer.utf8CString.withUnsafeBytes { bytes in
                        send(connection, bytes.baseAddress, bytes.count - 1, Self.sendFlags)
                    }
                    if !isLeftOpen { _ = shutdown(connection, CInt(SHUT_WR)) }
                }
                _ = Self.readHead(connection)
                close(connection)
                closings.yield()
            }
            // Not before: another test's listener may get the number, whose connections would be taken from it.
            close(listener)
        }
        thread.start()
    }

    deinit {
        // Wakes the thread out of accept().
        _ = shutdown(listener, CInt(SHUT_RDWR))
    }

    var requests: [String] { received.withLock { $0 } }

    private static func bindToFreePort(_ listener: CInt) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard result else { throw Failure() }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Reads up to the empty line, or to the end of the connection.
    private static func readHead(_ connection: CInt) -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(connection, &byte, 1, 0) == 1 { head.append(byte) }
        return String(decoding: head, as: UTF8.self)
    }
}
