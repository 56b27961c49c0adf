// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The bytes of one response in the order in which they were handed to the socket, split into header and body.
///
/// When a connection breaks, ``settle(acceptedByteCount:)`` says how much of each had left.
struct SentSegments {
    private struct Segment {
        var byteCount: Int64
        let isBody: Bool
    }

    /// Bytes that are known to have been accepted by the kernel.
    private(set) var confirmed = TransferredBytes.zero
    private var pending: CircularBuffer<Segment> = []
    /// Past this many alternations of header and body the oldest count as gone, so that no stream grows the ledger.
    static let segmentCountMax = 1 << 16

    /// All bytes handed over so far, confirmed or not.
    private(set) var handedByteCount: Int64 = 0

    mutating func append(byteCount: Int64, isBody: Bool) {
        guard byteCount > 0 else { return }
        handedByteCount += byteCount
        if let last = pending.last, last.isBody == isBody {
            pending[pending.index(before: pending.endIndex)].byteCount += byteCount
        } else {
            pending.append(Segment(byteCount: byteCount, isBody: isBody))
            if pending.count > Self.segmentCountMax, let oldest = pending.popFirst() {
                confirm(oldest.byteCount, isBody: oldest.isBody)
            }
        }
    }

    /// Everything handed over so far has been accepted.
    mutating func confirmAll() {
        settle(acceptedByteCount: handedByteCount)
    }

    /// Confirms bytes, in order, until `acceptedByteCount` of this response are confirmed.
    mutating func settle(acceptedByteCount: Int64) {
        var remaining = min(acceptedByteCount, handedByteCount) - confirmed.wire
        while remaining > 0, let first = pending.first {
            let taken = min(remaining, first.byteCount)
            confirm(taken, isBody: first.isBody)
            remaining -= taken
            if taken == first.byteCount {
                _ = pending.removeFirst()
            } else {
                pending[pending.startIndex].byteCount -= taken
            }
        }
    }

    private mutating func confirm(_ byteCount: Int64, isBody: Bool) {
        confirmed =
            confirmed
            + TransferredBytes(
                header: isBody ? 0 : byteCount,
                body: isBody ? byteCount : 0,
                wire: byteCount
            )
    }
}
