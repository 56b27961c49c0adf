// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The connections of a load, all served by this one thread.
final class ConnectionPool {
    /// A server that says nothing for so long is taken for hung.
    static let silenceSecondsMax = 120

    let connections: [Connection]

    init(_ firestore: Firestore, host: String, port: UInt16, count: Int) throws(LoadError) {
        var connections: [Connection] = []
        for _ in 0..<count {
            connections.append(try Connection(host: host, port: port, requestHeaders: firestore.headers))
        }
        self.connections = connections
        for connection in connections { connection.socket.setTimeout(seconds: Self.silenceSecondsMax) }
        try run { connections.allSatisfy(\.peer.isKnown) }
    }

    var receivedByteCount: Int { connections.reduce(0) { $0 + $1.receivedByteCount } }
    var sentByteCount: Int { connections.reduce(0) { $0 + $1.sentByteCount } }

    /// Serves the connections until all is done; throws when the servers fall silent.
    func run(until isDone: () -> Bool) throws(LoadError) {
        while !isDone() {
            let isHeard =
                if connections.count == 1, try connections[0].flush() {
                    // A read that waits spares asking first.
                    try connections[0].receive(waits: true)
                } else {
                    try turn(milliseconds: Self.silenceSecondsMax * 1_000)
                }
            guard isHeard else {
                throw LoadError(message: "the server said nothing for \(Self.silenceSecondsMax) s")
            }
        }
    }

    /// Serves the connections for a while.
    func run(milliseconds: Int) throws(LoadError) {
        let end = Clocks.monotonic() + milliseconds * 1_000_000
        while case let rest = end - Clocks.monotonic(), rest > 0 {
            _ = try turn(milliseconds: rest / 1_000_000 + 1)
        }
    }

    /// Waits for what the sockets have and handles it; false when nothing came in time.
    private func turn(milliseconds: Int) throws(LoadError) -> Bool {
        var polled: [pollfd] = []
        polled.reserveCapacity(connections.count)
        for connection in connections {
            let isFlushed = try connection.flush()
            let events = isFlushed ? POLLIN : POLLIN | POLLOUT
            polled.append(pollfd(fd: connection.socket.descriptor, events: Int16(events), revents: 0))
        }
        let readyCount = poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
        guard readyCount >= 0 || errno == EINTR else { throw .system("poll", errno) }
        for (connection, entry) in zip(connections, polled) where entry.revents & ~Int16(POLLOUT) != 0 {
            try connection.receive()
        }
        return readyCount != 0
    }
}
