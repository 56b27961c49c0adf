// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import SeededRandom
import SessionLog
import Testing

@testable import LogImport

struct DecompressedFileTests {
    private static let text = Data((0..<20_000).map { "line \($0), \($0 &* 2_654_435_761 % 1_000)\n" }.joined().utf8)

    private static func compressed(_ bytes: Data, _ format: CompressionFormat) throws -> Data {
        let deflater = try #require(Deflater(format))
        var room = [UInt8](repeating: 0, count: deflater.byteCountMax(of: bytes.count))
        let count = bytes.withUnsafeBytes { input in room.withUnsafeMutableBytes { deflater.compress(input, into: $0) }
        }
        return Data(room.prefix(try #require(count)))
    }

    /// Reads a file that holds these bytes, with chunks and a buffer of such sizes.
    private static func read(_ bytes: Data, chunkByteCount: Int = 64, bufferByteCount: Int = 4_096) throws -> Data {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = DecompressedFile(try OpenFile(path, .reading), chunkByteCount: chunkByteCount)
        var found = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try file.read(into: buffer), count > 0 { found.append(contentsOf: buffer[..<count]) }
        return found
    }

    @Test(arguments: [(2, 1), (3, 70_000), (64, 4_096), (300_000, 17), (300_000, 300_000)])
    func `is the same whatever the sizes of what is read`(chunkByteCount: Int, bufferByteCount: Int) throws {
        let gzip = try Self.compressed(Self.text, .gzip)
        for (bytes, expected) in [
            (Self.text, Self.text), (gzip, Self.text), (try Self.compressed(Self.text, .zlib), Self.text),
            (gzip + (try Self.compressed(Data(), .gzip)) + gzip, Self.text + Self.text),
            // As zlib's own reader of files has it.
            (gzip + Data([0x1F]), Self.text), (gzip + Data(repeating: 0, count: 512), Self.text),
            (gzip + Data("more".utf8), Self.text), (Data(), Data()), (Data("x".utf8), Data("x".utf8)),
        ] {
            let found = try Self.read(bytes, chunkByteCount: chunkByteCount, bufferByteCount: bufferByteCount)
            #expect(found == expected, "\(bytes.count) bytes")
        }
    }

    /// RFC 1952 has further fields in the head, which a read may end in the middle of.
    @Test(arguments: [2, 3, 5, 11, 64])
    func `heads with all fields are passed over`(chunkByteCount: Int) throws {
        let plain = try Self.compressed(Self.text.prefix(500), .gzip)
        for flags: UInt8 in [0b0_1000, 0b1_0000, 0b1_1100] {
            var member = Data(plain.prefix(10))
            member[3] = flags
            if flags & 0b100 != 0 { member += Data([7, 0]) + Data("AB\u{3}\0xyz".utf8) }
            if flags & 0b1000 != 0 { member += Data("usage.csv\0".utf8) }
            if flags & 0b1_0000 != 0 { member += Data("a comment\0".utf8) }
            member += plain.dropFirst(10)
            let found = try Self.read(member + member, chunkByteCount: chunkByteCount)
            #expect(found == Self.text.prefix(500) + Self.text.prefix(500), "flags \(flags)")
        }
    }

    @Test func `what is cut short is refused wherever it is cut`() throws {
        let text = Self.text.prefix(700)
        for format in [CompressionFormat.gzip, .zlib] {
            let whole = try Self.compressed(text, format)
            for count in 2..<whole.count {
                let error = #expect(throws: LogImportError.self) { try Self.read(whole.prefix(count)) }
                #expect(error?.problem == "cannot be decompressed: it ends too early", "\(format), \(count) bytes")
            }
        }
    }

    /// zlib is the reference: it is asked whether what a damaged byte leaves can be decompressed.
    @Test func `damage is found as zlib finds it`() throws {
        var random = SplitMix64(seed: 7)
        let text = Self.text.prefix(3_000)
        let whole = try Self.compressed(text, .gzip)
        let headByteCount = 10
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0...random.integer(in: 0...2) {
                bytes[random.integer(in: headByteCount...whole.count - 1)] ^= 1 << random.integer(in: 0...7)
            }
            let expected = try Self.inflatedByZlib(bytes)
            let found = try? Self.read(bytes, chunkByteCount: random.integer(in: 2...5_000))
            #expect(found == expected)
        }
    }

    private static func inflatedByZlib(_ bytes: Data) throws -> Data? {
        let inflater = try #require(Inflater(.gzip))
        var room = [UInt8](repeating: 0, count: 1 << 20)
        return bytes.withUnsafeBytes { input in
            inflater.take(input)
            let (count, outcome) = room.withUnsafeMutableBytes { inflater.inflate(into: $0) }
            return outcome == .ended ? Data(room.prefix(count)) : nil
        }
    }

    /// mitmproxy's `.zhar` is an archive that zlib has compressed.
    @Test func `an archive is decompressed on the way`() throws {
        let entries = (0..<2_000).map { index in
            #"{"startedDateTime":"2026-11-20T09:00:00Z","request":{"method":"GET","url":"https://storage.googleapis.com/b/u/p/\#(index)"},"#
                + #""response":{"status":200,"bodySize":70}}"#
        }
        let archive = #"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#
        let requests = try CollectedRequests.of(Self.compressed(Data(archive.utf8), .zlib), name: "flow.zhar")
        #expect(requests.map(\.object) == (0..<2_000).map { "u/p/\($0)" })
        #expect(requests.allSatisfy { $0.byteCount == 70 })
    }

    @Test func `what is no file is refused as any log is`() {
        for path in ["/nowhere/flow.zhar", FileManager.default.temporaryDirectory.path] {
            #expect(throws: SessionLogError.self) { try LogReader(path) }
        }
    }
}
