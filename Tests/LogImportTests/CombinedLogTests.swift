// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LogImport

struct CombinedLogTests {
    private static func line(
        _ request: String,
        _ status: String = "200",
        _ size: String = "2326",
        tail: String = ""
    ) -> String {
        #"10.0.0.2 - bob [10/Oct/2000:13:55:36 -0700] "\#(request)" \#(status) \#(size) "http://x/?token=SECRET" "A/1 \"q\" x"\#(tail)"#
    }

    @Test func `a line is a request`() throws {
        let requests = try CollectedRequests.of(
            Self.line("GET /v0/b/B/o/u%2Fp%2F0?alt=media&token=SECRET HTTP/1.1") + "\n"
        )
        let expected = CollectedRequest(
            time: 971_211_336_000_000,
            operation: .download,
            byteCount: 2_326,
            bucket: "B",
            object: "u/p/0",
            client: requests[0].client
        )
        #expect(requests == [expected])
    }

    @Test(
        arguments: [
            (line("GET /a/b HTTP/1.1", "304", "-"), .download, 304, 0),
            (line(#"\x16\x03\x01"#, "400", "157"), .other, 400, 157),
            (line("GET /a/b HTTP/1.1", tail: " 0.003 \"extra\""), .download, 200, 2_326),
            (line("-", "408", "0"), .other, 408, 0),
        ] as [(String, LoggedOperation, Int, Int64)]
    )
    func `unusual lines are read, too`(
        _ line: String,
        _ operation: LoggedOperation,
        _ status: Int,
        _ bytes: Int64
    ) throws {
        let requests = try CollectedRequests.of(line, .combined)
        #expect(requests.map(\.operation) == [operation])
        #expect(requests.map(\.status) == [status])
        #expect(requests.map(\.byteCount) == [bytes])
    }

    @Test func `gzip is decompressed on the way`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("access.log")
        try Data((0..<5_000).map { Self.line("GET /b/\($0) HTTP/1.1") + "\n" }.joined().utf8).write(to: file)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = [file.path]
        try gzip.run()
        gzip.waitUntilExit()
        var collected = CollectedRequests()
        try LogReader(file.path + ".gz").read(into: &collected)
        #expect(collected.requests.count == 5_000)
        #expect(collected.requests.last?.object == "4999")
    }

    @Test(
        arguments: [
            (line("GET / HTTP/1.1") + "\nnonsense here\n", "line 2: expected a line of the format combined"),
            (line("GET / HTTP/1.1").replacingOccurrences(of: "Oct", with: "Okt"), "line 1: '10/Okt/2000"),
        ]
    )
    func `a line that is wrong is named`(_ log: String, _ message: String) {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(log, .combined) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `a file that is no log is refused`() {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of("Dear diary,\n") }
        #expect(error?.description.contains("is no log that is known; expected one of usage-csv, har") == true)
    }
}
