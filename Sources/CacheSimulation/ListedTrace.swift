// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A trace in memory.
package struct ListedTrace: RequestTrace, Hashable {
    private var requests: [TraceBlock.Request] = []
    private var latest: [Int] = []
    private var offset = 0

    /// Creates a trace without requests.
    package init() {}

    /// The requests.
    package var count: Int { requests.count }

    /// Adds a request for an object; objects are numbered from 0.
    package mutating func append(_ object: Int, byteCount: Int) {
        while latest.count <= object { latest.append(-1) }
        if latest[object] >= 0 {
            let earlier = requests[latest[object]]
            requests[latest[object]] = TraceBlock.Request(
                object: earlier.object,
                byteCount: earlier.byteCount,
                nextRequest: Int64(count)
            )
        }
        latest[object] = count
        requests.append(
            TraceBlock.Request(object: Int32(object), byteCount: UInt32(clamping: byteCount), nextRequest: .max)
        )
    }

    package mutating func read(_ block: inout TraceBlock) -> Bool {
        block.removeAll()
        guard offset < count else { return false }
        let end = min(count, offset + TraceBlock.requestCountMax)
        block.requests.append(contentsOf: requests[offset..<end])
        offset = end
        return true
    }
}
