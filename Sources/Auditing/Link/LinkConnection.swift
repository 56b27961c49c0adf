// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A TCP connection that delivers responses in windows that double: each begins when the one before has been delivered and
/// acknowledged.
///
/// Times are nanoseconds of a simulation; bytes are what passes below TLS.
struct LinkConnection: Sendable {
    /// The payload of a packet.
    static let segmentByteCount: Int64 = 1_460

    /// No connection has more bytes under way.
    private static let windowMax: Int64 = 1 << 40

    /// A response that is awaited or being delivered.
    struct Stream: Sendable {
        let load: Int
        /// When its first byte could come.
        let readyAt: Int64
        /// The lower, the sooner it is delivered among those that are ready.
        let rank: Int
        var byteCountLeft: Int64
    }

    private(set) var streams: [Stream] = []
    private(set) var window: Int64
    private var windowLeft: Int64 = 0
    private var windowStart: Int64 = 0
    /// When the next window may begin, while there is none.
    private var opensAt: Int64?
    /// When it can take its first request.
    let openedAt: Int64
    private(set) var lastActive: Int64

    init(openedAt time: Int64, rules: LinkRules) {
        window = rules.firstWindowByteCount
        openedAt = time
        lastActive = time
    }

    var isIdle: Bool { streams.isEmpty }

    /// Takes a request.
    mutating func add(_ stream: Stream, requestedAt time: Int64, rules: LinkRules) {
        if streams.isEmpty, time - lastActive > rules.slowAfter {
            window = rules.firstWindowByteCount
        }
        if streams.isEmpty { (windowLeft, opensAt) = (0, nil) }
        streams.append(stream)
    }

    /// The stream that is delivered at a time, if one is and its window is open; of equal ranks the first.
    func current(at time: Int64) -> Int? {
        if let opensAt, opensAt > time { return nil }
        var best: Int?
        for index in streams.indices where streams[index].readyAt <= time {
            if best.map({ streams[index].rank < streams[$0].rank }) ?? true { best = index }
        }
        return best
    }

    /// The bytes until something changes, of the stream that is delivered.
    func byteCountToChange(of stream: Int) -> Int64 {
        min(streams[stream].byteCountLeft, windowLeft > 0 ? windowLeft : window)
    }

    /// When something changes by itself after a time: a response is ready, or the window opens; the largest number where
    /// nothing does.
    func nextChange(after time: Int64) -> Int64 {
        var next = Int64.max
        if let opensAt, opensAt > time { next = opensAt }
        for stream in streams where stream.readyAt > time { next = min(next, stream.readyAt) }
        return next
    }

    /// Delivers bytes of a stream from one time to another; returns the load that has come whole.
    mutating func deliver(
        _ byteCount: Int64,
        of stream: Int,
        from start: Int64,
        to end: Int64,
        roundTrip: Int64
    ) -> Int? {
        if windowLeft == 0 {
            (windowLeft, windowStart, opensAt) = (window, start, nil)
        }
        windowLeft -= byteCount
        streams[stream].byteCountLeft -= byteCount
        lastActive = end
        if windowLeft == 0 {
            opensAt = max(end, windowStart + roundTrip)
            window = min(2 * window, Self.windowMax)
        }
        guard streams[stream].byteCountLeft == 0 else { return nil }
        return streams.remove(at: stream).load
    }
}
