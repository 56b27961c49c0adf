// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom
import Testing

@testable import LogImport

struct AccessLogDifferentialTests {
    private static let formats = [
        "combined", "common", "vhost_combined",
        #"{"t":"$time_iso8601","m":"$request_method","uri":"$request_uri","s":$status,"b":$body_bytes_sent,"ua":"$http_user_agent"}"#,
        "$msec|$request_method|$scheme://$host$request_uri|$status|$bytes_sent|$http_user_agent|$request_id",
        #"$remote_addr $time_local $host "$request" $status $body_bytes_sent $bytes_sent"#,
        #"%a %{usec}t %D %{Host}i "%r" %>s %B "%{User-Agent}i" %L"#,
    ]

    @Test(arguments: formats)
    func `bytes are read as strings would be`(_ text: String) throws {
        let format = try AccessLogFormat(text)
        var lines = OddLines(format, seed: 7)
        var counts = (read: 0, refused: 0)
        for _ in 0..<1_500 {
            let line = lines.next()
            var found = CollectedRequests()
            var log = AccessLog("log", format: format)
            let isRead = (try? Array(line.utf8).withUnsafeBufferPointer { try log.read($0, into: &found) }) != nil
            let expected = ReferenceAccessLog(format: format).request(line)
            #expect(found.requests == (expected.map { [$0] } ?? []), "\(line)")
            #expect(isRead == (expected != nil), "\(line)")
            if isRead { counts.read += 1 } else { counts.refused += 1 }
        }
        // Most lines are right, and some are not.
        #expect(counts.read > 750)
        #expect(counts.refused > 50)
    }
}

/// Lines of a format with odd values in some fields, some of them cut.
private struct OddLines {
    private let format: AccessLogFormat
    private var random: SplitMix64

    init(_ format: AccessLogFormat, seed: UInt64) {
        self.format = format
        random = SplitMix64(seed: seed)
    }

    mutating func next() -> String {
        var line = ""
        for piece in format.pieces {
            switch piece {
            case .literal(let bytes): line += String(decoding: bytes, as: UTF8.self)
            case .field(let field): line += value(field)
            }
        }
        guard one(in: 20) else { return line }
        return String(line.prefix(random.integer(in: 1...line.count)))
    }

    private mutating func one(in count: Int) -> Bool { random.integer(in: 1...count) == 1 }

    private mutating func value(_ field: AccessLogFormat.Field) -> String {
        let (usual, odd) = Self.values(field)
        let choices = one(in: 8) ? odd : usual
        return choices[random.integer(in: 0...choices.count - 1)]
    }

    private static func values(_ field: AccessLogFormat.Field) -> (usual: [String], odd: [String]) {
        switch field {
        case .time(.local):
            (
                ["10/Oct/2000:13:55:36 -0700", "29/Feb/2024:00:00:00 +0530", "31/Dec/1999:23:59:60 +0000"],
                ["10/Okt/2000:13:55:36 -0700", "30/Feb/2024:00:00:00 +0000", "1/Oct/2000:13:55:36 -0700", ""]
            )
        case .time(.iso8601):
            (
                ["2000-10-10T13:55:36-07:00", "2000-10-10T13:55:36.25Z", "2000-10-10T13:55:36-0700"],
                ["2000-10-10 13:55:36Z", "2000-13-10T13:55:36Z", "2000-10-10T13:55:36", "2000-10-10T13:55:36-070"]
            )
        case .time:
            (
                ["971211336.000", "971211336000", "971211336"],
                ["12:00", "", "9712113360000000000000", "1.x", "5.", ".5"]
            )
        case .request:
            (
                targets.map { "GET \($0) HTTP/1.1" } + ["POST /v0/b/B/o?name=x HTTP/2.0", "HEAD /a HTTP/1.1"],
                [#"\x16\x03\x01"#, "-", "", "GET", "GET  /a/b   HTTP/1.1", #"GET /a\"b HTTP/1.1"#, #"GET /a\"#]
            )
        case .method: (["GET", "PUT", "DELETE", "HEAD"], ["", "get", "OPTIONS"])
        case .target: (targets, ["*", "", "https://h/x", #"/q\"uote"#])
        case .host:
            (["b.storage.googleapis.com", "cdn.example.com:8443", "firestore.googleapis.com"], ["-", "", "[::1]:80"])
        case .status: (["200", "304", "404"], ["-", "", "+200", "99999999999999999999", "-5", "2x"])
        case .byteCount: (["2326", "0", "-", "123456789012"], ["", "many", "+7", "-7", "99999999999999999999"])
        case .address: (["10.0.0.2", "2001:db8::1"], ["-", "", "unknown"])
        case .agent: (["A/1 (x; y)", "curl/8"], ["", "-", #"A \"q\" x"#, #"back\\slash\\"#, "ünï"])
        case .requestID: (["0af7651916cd43dd8448eb211c80319c", "abc"], ["", "-"])
        case .query, .ignored: (["-", "bob", "https", "443"], ["", "a b", #"\"q\""#])
        }
    }

    private static let targets = [
        "/v0/b/d.appspot.com/o/u1%2Fp%201%2F0?alt=media&token=T", "/v0/b/B/o/x?token=T", "/v0/b/B/o?prefix=u",
        "/storage/v1/b/B/o/a%2Fb?alt=media", "/download/storage/v1/b/B/o/a%2Fb", "/b/b/o/o", "/b//o/", "/x/y/z/b/B/o/O",
        "/a/y/z/w/b/B/o/O", "/B/u/p/0?X-Goog-Signature=S", "/", "//", "/img/u/p/0.jpg?w=2#f", "/a#f?alt=media",
        "/google.firestore.v1.Firestore/Listen", "/v1/projects/p/databases/d/documents", "/databases", "/x/databases",
        "/login?next=https://storage.googleapis.com/b/S", "/100%/%zz%4", "/v0/b/B/o/x?a&&alt=media", "/v0/b/B/p/x",
        "/v0/b/%C3%A9/o/%C3%A9", "/b/B", "/b", "/download", "/download/b/B/o/O",
    ]
}
