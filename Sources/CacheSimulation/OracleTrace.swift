// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A trace in the format `oracleGeneral` of cache simulators: packed records of 24 bytes in little-endian order and no header:
/// `u32` time, `u64` id, `u32` bytes, `i64` the number of the next request of that id.
///
/// Requests of 0 bytes are passed over, as other readers of the format do.
package struct OracleTrace: RequestTrace {
    static let recordByteCount = 24

    private let path: String
    private let records: Data
    private var offset = 0
    private var table = ObjectTable()

    /// Maps a file into memory; throws when it cannot be read or is not a whole number of records.
    package init(_ path: String) throws(TraceError) {
        self.path = path
        do {
            records = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw .unreadable(path, error: error)
        }
        guard !records.isEmpty, records.count % Self.recordByteCount == 0 else {
            throw .notOracle(path, byteCount: records.count)
        }
    }

    /// The requests of the file.
    package var requestCount: Int { records.count / Self.recordByteCount }

    /// The distinct objects so far.
    package var objectCount: Int { table.count }

    /// Reads the next requests into a block; false at the end.
    ///
    /// Throws when a record says that its object is asked for again before it: then the file is something else.
    package mutating func read(_ block: inout TraceBlock) throws(TraceError) -> Bool {
        block.removeAll()
        guard offset < records.count else { return false }
        let end = min(records.count, offset + TraceBlock.requestCountMax * Self.recordByteCount)
        let part = try parse(offset..<end)
        offset = end
        for (index, object) in table.objects(of: part.ids).enumerated() {
            block.requests.append(
                TraceBlock.Request(object: object, byteCount: part.sizes[index], nextRequest: part.nexts[index])
            )
        }
        return true
    }

    private func parse(
        _ range: Range<Int>
    ) throws(TraceError) -> (ids: [UInt64], sizes: [UInt32], nexts: [Int64]) {
        var (ids, sizes, nexts): ([UInt64], [UInt32], [Int64]) = ([], [], [])
        var wrongOffset: Int?
        ids.reserveCapacity(TraceBlock.requestCountMax)
        sizes.reserveCapacity(TraceBlock.requestCountMax)
        nexts.reserveCapacity(TraceBlock.requestCountMax)
        records.withUnsafeBytes { bytes in
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: Self.recordByteCount) {
                let size = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let next = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: Int64.self))
                guard Self.isPlausible(next, after: offset / Self.recordByteCount) else {
                    wrongOffset = offset
                    return
                }
                guard size > 0 else { continue }
                ids.append(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt64.self)))
                sizes.append(size)
                nexts.append(next < 0 ? .max : next)
            }
        }
        if let wrongOffset { throw .recordWrong(path, number: wrongOffset / Self.recordByteCount + 1) }
        return (ids, sizes, nexts)
    }

    /// The numbers of a trace of which a part was cut off may lie behind its end, but not anywhere.
    private static func isPlausible(_ next: Int64, after number: Int) -> Bool {
        next < 0 || next == .max || (next > number && next < 1 << 48)
    }
}

extension OracleTrace {
    /// A trace as a file of the format, for other simulators; its times are the numbers of the requests.
    package static func file(of trace: some RequestTrace) throws -> Data {
        var (trace, block) = (trace, TraceBlock())
        var file = Data()
        var number: UInt32 = 0
        while try trace.read(&block) {
            for request in block.requests {
                file.append(littleEndian: number)
                file.append(littleEndian: UInt64(request.object))
                file.append(littleEndian: request.byteCount)
                file.append(littleEndian: UInt64(bitPattern: request.nextRequest))
                number &+= 1
            }
        }
        return file
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
