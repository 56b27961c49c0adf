// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LogImport

struct AccessLogTests {
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
        let requests = try CollectedRequests.of(line, .access(.combined))
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
        try LogReader(file.path + ".gz").parse(into: &collected)
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
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(log, .access(.combined)) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            (
                #"$remote_addr [$time_iso8601] "$request" $status $bytes_sent"#,
                #"10.0.0.2 [2000-10-10T13:55:36-07:00] "GET /b/o HTTP/2.0" 200 900"#
            ),
            (
                #"'$msec|$request_method|$scheme://$host$request_uri|$status|$body_bytes_sent|$http_user_agent'"#,
                "971211336.000|GET|https://b.storage.googleapis.com/o?x=SECRET|200|900|A/1 (x; y)"
            ),
            (
                #"{"t":"$time_iso8601","uri":"$uri$is_args$args","m":"$request_method","s":$status,"b":$body_bytes_sent}"#,
                #"{"t":"2000-10-10T20:55:36+00:00","uri":"/b/o?a=1","m":"GET","s":200,"b":900}"#
            ),
            (
                #"${remote_addr} ${time_local} ${request_uri} ${status} ${body_bytes_sent}"#,
                "10.0.0.2 10/Oct/2000:13:55:36 -0700 /b/o 200 900"
            ),
            (
                #"%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i" %D"#,
                #"10.0.0.2 - bob [10/Oct/2000:13:55:36 -0700] "GET /b/o HTTP/1.1" 200 900 "-" "A "b" c" 1200"#
            ),
            (#"%a %{%Y-%m-%dT%H:%M:%S%z}t %m %U%q %>s %B"#, "10.0.0.2 2000-10-10T13:55:36-0700 GET /b/o?q=1 200 900"),
            ("%{usec}t %D %400,501{Host}i %>s %b %m %U", "971211336000000 31 - 200 900 GET /b/o"),
            ("%{begin:msec}t %m %U %b %s 100%%", "971211336000 GET /b/o 900 200 100%"),
            (
                "vhost_combined",
                #"b.storage.googleapis.com:443 10.0.0.2 - - [10/Oct/2000:13:55:36 -0700] "GET /o HTTP/1.1" 200 900 "-" "A""#
            ),
            ("common", #"10.0.0.2 - - [10/Oct/2000:13:55:36 -0700] "GET /b/o HTTP/1.1" 200 900"#),
        ]
    )
    func `a format of one's own says where everything is`(_ format: String, _ line: String) throws {
        let requests = try CollectedRequests.of(line + "\r\n" + line, LogFormat(format))
        #expect(requests.count == 2)
        let request = try #require(requests.first)
        #expect(request.time == 971_211_336_000_000)
        #expect((request.operation, request.status, request.byteCount) == (.download, 200, 900))
        #expect((request.bucket, request.object) == ("b", "o"))
    }

    @Test(
        arguments: [
            ("$request $status", "tells no time: it needs $time_local or %t"),
            ("%t %>s %b", "tells no request: it needs $request"),
            ("$time_local$request", "have nothing between them"),
            ("$time_local $ $request", "a $ of the format names no variable"),
            ("%t %r %", "a % of the format names no directive"),
            ("%{%c}t %r", "'%{%c}t' is a time that is not read; expected %t"),
            ("apache", "'apache' is no format; expected one of usage-csv, har, cloud-logging, session, combined"),
        ]
    )
    func `a format that tells too little is refused`(_ format: String, _ message: String) {
        let error = #expect(throws: AccessLogFormatError.self) { try LogFormat(format) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            ("$msec $request $status", "12:00 GET / 200", "'12:00' is no time such as 971211336.000"),
            (
                "$msec $request|$status", "971211336.000 GET / 200",
                "expected a line of the format $msec $request|$status"
            ),
            ("$msec $status $body_bytes_sent $request_uri", "1.5 200 many /", "'many' is no number of bytes"),
            ("$msec $request_uri", "99999999999999 /", "is no time"),
        ]
    )
    func `a line of another format is named`(_ format: String, _ line: String, _ message: String) {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(line, LogFormat(format)) }
        #expect(error?.line == 1)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `requests are told apart by their ids, where the format has them`() throws {
        let format = try LogFormat("$msec $request_id $request_uri $status $body_bytes_sent")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("1.5 abc /b/o 200 10\n2.5 abc /b/o 200 10\n3.5 d /b/o 200 10\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var totals = LogTotals()
        var recent = RecentRequests()
        try LogReader(file.path, format: format).read(into: &totals, recent: &recent)
        #expect((totals.total.requestCount, totals.figures.duplicateCount) == (2, 1))
    }

    /// A line is gone over once, not again for each of its quotation marks.
    @Test(.timeLimit(.minutes(5))) func `a line of nothing but escaped quotation marks is read once`() throws {
        let agent = String(repeating: #"\""#, count: 300_000)
        let line = #"203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET /b/o HTTP/1.1" 200 10 "-" ""#
        let requests = try CollectedRequests.of(line + agent + "\"\n", LogFormat("combined"))
        #expect(requests.count == 1)
    }

    @Test func `a file that is no log is refused`() {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of("Dear diary,\n") }
        #expect(error?.description.contains("is not a log that is known; expected one of usage-csv, har") == true)
    }
}
