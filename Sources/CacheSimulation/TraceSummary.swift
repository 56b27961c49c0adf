// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The contents of traces.
package struct TraceSummary: Sendable, Hashable {
    /// The requests.
    package private(set) var requestCount: Int64 = 0
    /// The distinct objects of each trace, added up.
    package private(set) var objectCount: Int64 = 0
    /// The bytes asked for.
    package private(set) var byteCount: Int64 = 0
    /// The bytes of the objects of the trace that has most: what a cache for all of them takes.
    package private(set) var footprintByteCount: Int64 = 0
    /// The largest object.
    package private(set) var largestByteCount: Int64 = 0

    /// Reads traces to their ends; a change of an object's size makes another object of it.
    package init(of traces: [any RequestTrace]) throws {
        for trace in traces { try add(trace) }
    }

    /// Creates a summary of no traces.
    package init() {}

    /// Adds the summary of other traces.
    package mutating func add(_ other: TraceSummary) {
        requestCount += other.requestCount
        objectCount += other.objectCount
        byteCount += other.byteCount
        footprintByteCount = max(footprintByteCount, other.footprintByteCount)
        largestByteCount = max(largestByteCount, other.largestByteCount)
    }

    /// Reads a trace to its end.
    package mutating func add(_ trace: any RequestTrace) throws {
        var (trace, block) = (trace, TraceBlock())
        var sizes: [Int64] = []
        var footprint: Int64 = 0
        while try trace.read(&block) {
            for request in block.requests {
                let (object, size) = (Int(request.object), Int64(request.byteCount))
                while sizes.count <= object { sizes.append(-1) }
                byteCount += size
                guard sizes[object] != size else { continue }
                sizes[object] = size
                footprint += size
                objectCount += 1
                largestByteCount = max(largestByteCount, size)
            }
            requestCount += Int64(block.requests.count)
        }
        footprintByteCount = max(footprintByteCount, footprint)
    }
}
