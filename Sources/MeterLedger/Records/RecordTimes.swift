// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The times of records, packed.
///
/// Of each the start and the duration in microseconds, as what they differ from those before. A difference `d` is written
/// as `2d`, or `-2d - 1` below zero, in the form of QUIC's integers (RFC 9000 section 16).
struct RecordTimes {
    /// The largest difference, some 36,000 years.
    private static let differenceMax: Int64 = 1 << 60

    private(set) var bytes = ByteBuffer()
    private var start: Int64
    private var duration: Int64

    /// Begins behind a record.
    init(after first: UsageRecord) {
        start = first.startMicroseconds
        duration = first.durationMicroseconds
    }

    /// Returns `false`, and takes nothing, when the times differ too much from those before.
    mutating func append(_ times: UsageRun.Times) -> Bool {
        let (startStep, startOverflows) = times.startMicroseconds.subtractingReportingOverflow(start)
        let (durationStep, durationOverflows) = times.durationMicroseconds.subtractingReportingOverflow(duration)
        guard !startOverflows, !durationOverflows else { return false }
        guard max(startStep.magnitude, durationStep.magnitude) <= Self.differenceMax else { return false }
        for step in [startStep, durationStep] {
            bytes.writeEncodedInteger(UInt64(bitPattern: step << 1 ^ step >> 63), strategy: .quic)
        }
        start = times.startMicroseconds
        duration = times.durationMicroseconds
        return true
    }

    /// Returns the times that were packed behind a record; `nil` where the bytes are none.
    static func read(_ bytes: ByteBuffer, after first: UsageRecord) -> [(start: Int64, duration: Int64)]? {
        var bytes = bytes
        var latest = (start: first.startMicroseconds, duration: first.durationMicroseconds)
        var times: [(start: Int64, duration: Int64)] = []
        while bytes.readableBytes > 0 {
            guard let startStep = readStep(&bytes), let durationStep = readStep(&bytes) else { return nil }
            latest = (latest.start &+ startStep, latest.duration &+ durationStep)
            times.append(latest)
        }
        return times
    }

    private static func readStep(_ bytes: inout ByteBuffer) -> Int64? {
        guard let code = bytes.readEncodedInteger(as: UInt64.self, strategy: .quic) else { return nil }
        return Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }
}
