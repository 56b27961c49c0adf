// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Looks for ports that are free, for services that take another where theirs is in use.
package enum FreePort {
    private static let attemptCountMax = 100

    /// Finds the first port from one on that is free now.
    ///
    /// - Parameters:
    ///   - first: The port to begin with.
    ///   - host: The address to listen on.
    ///   - taken: Ports that are meant for others; the one that is found joins them.
    /// - Returns: The port; `nil` where none of a hundred is free.
    package static func first(from first: Int, on host: String, but taken: inout Set<Int>) -> Int? {
        let candidates = first..<max(first, min(first + attemptCountMax, 65_536))
        let found = candidates.first { !taken.contains($0) && isFree($0, on: host) }
        if let found { taken.insert(found) }
        return found
    }

    private static func isFree(_ port: Int, on host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        // A name without an address is refused by those who listen, with the reason.
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else { return true }
        defer { freeaddrinfo(found) }
        let socket = socket(address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
        guard socket >= 0 else { return true }
        defer { close(socket) }
        var isReused: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        return bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 && listen(socket, 1) == 0
    }
}
