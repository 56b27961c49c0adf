// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The times of records, packed: two bytes of most.
///
/// Of each the start and the duration in microseconds, as what they differ from those before. A difference `d` is written
/// as `2d`, or `-2d - 1` below zero, in the form of QUIC's integers (RFC 9000 section 16). SwiftNIO can write these too,
/// but takes twenty times as long, and this is done for every record.
struct PackedTimes: Sendable {
    /// The largest difference, some 36,000 years.
    private static let differenceMax: Int64 = 1 << 60

    private(set) var bytes: [UInt8] = []
    private var last: UsageRun.Times

    /// Begins behind a record.
    init(after first: UsageRun.Times) {
        last = first
    }

    /// Returns `false`, and takes nothing, when the times differ too much from those before.
    mutating func append(_ times: UsageRun.Times) -> Bool {
        let (startStep, startOverflows) = times.startMicroseconds.subtractingReportingOverflow(last.startMicroseconds)
        let (durationStep, durationOverflows) = times.durationMicroseconds
            .subtractingReportingOverflow(last.durationMicroseconds)
        guard !startOverflows, !durationOverflows else { return false }
        guard max(startStep.magnitude, durationStep.magnitude) <= Self.differenceMax else { return false }
        write(startStep)
        write(durationStep)
        last = times
        return true
    }

    /// Appends times, and those packed behind them.
    mutating func append(_ times: UsageRun.Times, _ later: PackedTimes) -> Bool {
        guard append(times) else { return false }
        bytes += later.bytes
        last = later.last
        return true
    }

    private mutating func write(_ step: Int64) {
        let code = UInt64(bitPattern: step << 1 ^ step >> 63)
        switch code {
        case ..<(1 << 6): bytes.append(UInt8(code))
        case ..<(1 << 14): write(code | 1 << 14, byteCount: 2)
        case ..<(1 << 30): write(code | 2 << 30, byteCount: 4)
        default: write(code | 3 << 62, byteCount: 8)
        }
    }

    private mutating func write(_ code: UInt64, byteCount: Int) {
        for index in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: code >> (8 * index))) }
    }
}

extension PackedTimes {
    /// Takes what was packed; `nil` where the bytes are not `count` times.
    init?(_ bytes: [UInt8], after first: UsageRun.Times, count: Int) {
        guard let times = Self.read(bytes, after: first), times.count == count else { return nil }
        self.bytes = bytes
        last = times.last ?? first
    }

    /// The times that were packed behind a record.
    func times(after first: UsageRun.Times) -> [UsageRun.Times] { Self.read(bytes, after: first) ?? [] }

    /// Returns the times that were packed behind a record; `nil` where the bytes are none.
    private static func read(_ bytes: [UInt8], after first: UsageRun.Times) -> [UsageRun.Times]? {
        var rest = bytes[...]
        var (start, duration) = (first.startMicroseconds, first.durationMicroseconds)
        var times: [UsageRun.Times] = []
        while !rest.isEmpty {
            guard let startStep = readStep(&rest), let durationStep = readStep(&rest) else { return nil }
            (start, duration) = (start &+ startStep, duration &+ durationStep)
            times.append(UsageRun.Times(startMicroseconds: start, durationMicroseconds: duration))
        }
        return times
    }

    private static func readStep(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        guard let first = bytes.first else { return nil }
        let byteCount = 1 << (first >> 6)
        guard bytes.count >= byteCount else { return nil }
        let code = bytes.prefix(byteCount).dropFirst().reduce(UInt64(first & 0x3F)) { $0 << 8 | UInt64($1) }
        bytes.removeFirst(byteCount)
        return Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }
}
