// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SuiteFiles

/// Logs as LevelDB has them: records cut into pieces, blocks of 32 KiB.
@Suite struct RecordLogTests {
    private let directory = TemporaryDirectory()

    private func write(_ records: [[UInt8]]) throws -> [UInt8] {
        let path = directory.file(UUID().uuidString)
        var log = RecordLogWriter(try .creating(path))
        for record in records { try log.append(record) }
        try log.flush()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(log.byteCount == Int64(bytes.count))
        return Array(bytes)
    }

    private func read(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let name = UUID().uuidString
        try directory.write(bytes, to: name)
        var log = RecordLogReader(try .reading(directory.file(name)))
        var records: [[UInt8]] = []
        try log.visit { records.append(Array($0)) }
        return records
    }

    private func failure(_ bytes: [UInt8]) -> String? {
        do {
            _ = try read(bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a record of one byte has the bytes of the official emulator`() throws {
        #expect(try write([[0x33]]) == [0xB8, 0x6D, 0x44, 0x4E, 1, 0, 1, 0x33])
    }

    @Test(arguments: [
        [], [0], [1], [32_761], [32_762], [32_754], [32_755], [32_748, 0], [32_747, 1], [32_755, 5, 5],
        [32_754, 40_000],
        [100_000], [65_522, 3], [300_000, 0, 7, 70_000],
    ])
    func `reads what it wrote`(sizes: [Int]) throws {
        let records = sizes.enumerated().map { index, size in
            [UInt8](repeating: UInt8(index & 0xFF) ^ 0xA5, count: size)
        }
        #expect(try read(write(records)) == records)
    }

    @Test func `reads many small records`() throws {
        let records = (0..<9_000).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 13) }
        #expect(try read(write(records)) == records)
    }

    @Test func `a header that fits exactly begins a record without content`() throws {
        let bytes = try write([[UInt8](repeating: 1, count: 32_754), [9]])
        #expect(Array(bytes[32_761..<32_768].suffix(3)) == [0, 0, 2])
        #expect(Array(bytes[32_768...].suffix(2)) == [4, 9])
    }

    @Test func `zeros fill the end of a block`() throws {
        let bytes = try write([[UInt8](repeating: 1, count: 32_757), [9]])
        #expect(bytes[32_764..<32_768].allSatisfy { $0 == 0 })
        #expect(bytes.count == 32_768 + 8)
    }

    @Test func `reads a block that its writer filled with zeros`() throws {
        var bytes = try write([[1, 2]])
        bytes += [UInt8](repeating: 0, count: 32_768 - bytes.count)
        bytes += try write([[3]])
        #expect(try read(bytes) == [[1, 2], [3]])
    }

    @Test(arguments: [0, 4, 7, 8])
    func `a changed byte is found`(place: Int) throws {
        var bytes = try write([[1, 2, 3]])
        bytes[place] ^= 1
        let text = try #require(failure(bytes))
        #expect(text.hasPrefix("Checksum doesn't validate.") || text.hasPrefix("Invalid record"))
    }

    @Test(arguments: 1..<10)
    func `a log that is cut off is refused`(count: Int) throws {
        let bytes = try write([[1, 2, 3]])
        #expect(failure(Array(bytes.prefix(count)))?.hasPrefix("Invalid record") == true)
    }

    @Test func `pieces out of order are refused`() throws {
        let whole = try write([[UInt8](repeating: 1, count: 40_000)])
        let begun = Array(whole[..<32_768])
        let ended = Array(whole[32_768...])
        #expect(failure(begun)?.contains("the file ends within it") == true)
        #expect(failure(ended)?.contains("out of order") == true)
        let next = try write([[1]])
        #expect(failure(begun + next)?.contains("out of order") == true)
    }

    @Test func `a record beyond the limit is refused`() throws {
        let piece = try write([[UInt8](repeating: 1, count: 70_000)])
        let (first, middle) = (piece[..<32_768], piece[32_768..<65_536])
        let bytes = first + (0..<2_048).flatMap { _ in middle }
        #expect(failure(Array(bytes))?.contains("larger than 67108864 bytes") == true)
    }
}
