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

    private(set) var bytes: ByteBuffer
    private var start: Int64
    private var duration: Int64

    /// Begins behind a record; `bytes` are those of an earlier value.
    init(after first: UsageRecord, bytes: ByteBuffer = ByteBuffer()) {
        start = first.startMicroseconds
        duration = first.durationMicroseconds
        self.bytes = bytes
    }

    /// Returns `false`, and takes nothing, when the times differ too much from those before.
    mutating func append(_ record: UsageRecord) -> Bool {
        let (startStep, startOverflows) = record.startMicroseconds.subtractingReportingOverflow(start)
        let (durationStep, durationOverflows) = record.durationMicroseconds.subtractingReportingOverflow(duration)
        guard !startOverflows, !durationOverflows else { return false }
        guard max(startStep.magnitude, durationStep.magnitude) <= Self.differenceMax else { return false }
        for step in [startStep, durationStep] {
            bytes.writeEncodedInteger(UInt64(bitPattern: step << 1 ^ step >> 63), strategy: .quic)
        }
        start = record.startMicroseconds
        duration = record.durationMicroseconds
        return true
    }

    /// Takes the first times; `nil` when there are none.
    mutating func removeFirst() -> (start: Int64, duration: Int64)? {
        guard let startStep = readStep(), let durationStep = readStep() else { return nil }
        start &+= startStep
        duration &+= durationStep
        return (start, duration)
    }

    private mutating func readStep() -> Int64? {
        guard let code = bytes.readEncodedInteger(as: UInt64.self, strategy: .quic) else { return nil }
        return Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }
}
