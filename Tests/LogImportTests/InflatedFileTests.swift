// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog
import Testing

@testable import LogImport

/// mitmproxy's `.zhar` is an archive that zlib has compressed.
struct InflatedFileTests {
    private static let archive: Data = {
        let entries = (0..<2_000).map { index in
            #"{"startedDateTime":"2026-11-20T09:00:00Z","request":{"method":"GET","url":"https://storage.googleapis.com/b/u/p/\#(index)"},"#
                + #""response":{"status":200,"bodySize":70}}"#
        }
        return Data(#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
    }()

    /// Bytes as zlib writes what it cannot compress: blocks that are stored (RFC 1951, 3.2.4) and a sum (RFC 1950).
    private static func stored(_ bytes: Data) -> Data {
        var zlib = Data([0x78, 0x01])
        var rest = bytes[...]
        while !rest.isEmpty {
            let block = rest.prefix(60_000)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            zlib.append(rest.isEmpty ? 1 : 0)
            for number in [count, ~count] { zlib.append(contentsOf: [UInt8(number & 0xFF), UInt8(number >> 8)]) }
            zlib.append(block)
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        zlib.append(contentsOf: [high, low].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        return zlib
    }

    @Test func `an archive is decompressed on the way`() throws {
        let requests = try CollectedRequests.of(Self.stored(Self.archive), name: "flow.zhar")
        #expect(requests.map(\.object) == (0..<2_000).map { "u/p/\($0)" })
        #expect(requests.allSatisfy { $0.byteCount == 70 })
    }

    @Test func `what is no file is refused as any log is`() {
        for path in ["/nowhere/flow.zhar", FileManager.default.temporaryDirectory.path] {
            #expect(throws: SessionLogError.self) { try LogReader(path) }
        }
    }

    @Test func `one that is cut short or damaged is refused`() throws {
        let whole = Self.stored(Self.archive)
        var damaged = whole
        damaged[whole.count - 1] ^= 1
        for (bytes, problem) in [(whole.dropLast(90), "ends too early"), (damaged, "bytes are damaged")] {
            let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(Data(bytes)) }
            #expect(error?.description.contains("cannot be decompressed: ") == true)
            #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        }
    }
}
