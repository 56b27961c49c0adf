// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LogImport

struct JSONLogTests {
    private static func har(_ entries: [String]) -> String {
        #"{"log":{"version":"1.2","creator":{"name":"x","entries of":["entries"]},"pages":[{"id":"p"}],"entries":["#
            + entries.joined(separator: ",\n ") + "]}}"
    }

    private static func entry(_ response: String, _ extra: String = "", seconds: Int = 0) -> String {
        #"{"startedDateTime":"2026-11-20T09:00:0\#(seconds).500Z","request":{"method":"GET","#
            + #""url":"https://storage.googleapis.com/b/u/p/\#(seconds)?token=SECRET","headers":[{"name":"Cookie","value":"}]"}]},"#
            + #""response":\#(response)\#(extra)}"#
    }

    @Test(
        arguments: [
            (#"{"status":200,"bodySize":70,"content":{"size":90}}"#, "", 70),
            (#"{"status":200,"bodySize":-1,"headersSize":30,"_transferSize":130,"content":{"size":90}}"#, "", 100),
            (#"{"status":200,"bodySize":-1,"headersSize":-1,"_transferSize":130}"#, "", 130),
            (#"{"status":200,"bodySize":-1,"content":{"size":90,"compression":20}}"#, "", 70),
            (#"{"status":304,"bodySize":0,"content":{"size":90}}"#, "", 0),
            (#"{"status":200,"bodySize":0,"content":{"size":90}}"#, #","_fromCache":"disk""#, 0),
            (#"{"status":200,"bodySize":0,"content":{"size":90}}"#, #","_fromCache":null"#, 0),
            (#"{"status":200,"bodySize":9223372036854775807}"#, "", 1 << 43),
            (#"{"status":200}"#, "", nil),
        ] as [(String, String, Int64?)]
    )
    func `the bytes of an archive are those that came`(_ response: String, _ extra: String, _ byteCount: Int64?) throws
    {
        let requests = try CollectedRequests.of(Self.har([Self.entry(response, extra)]))
        #expect(requests.map(\.byteCount) == [byteCount])
        #expect(requests[0].isFromCache == extra.contains("disk"))
        #expect((requests[0].bucket, requests[0].object) == ("b", "u/p/0"))
        #expect(requests[0].time == 1_795_165_200_500_000)
    }

    @Test func `an archive may begin with a byte order mark, and be of any order`() throws {
        let log =
            "\u{FEFF}"
            + Self.har([
                Self.entry(#"{"status":200,"bodySize":2,"content":{"text":"\"}]{[\\"}}"#, seconds: 2),
                Self.entry(#"{"status":200,"bodySize":1}"#, seconds: 1),
            ])
        #expect(try CollectedRequests.of(log).map(\.byteCount) == [2, 1])
    }

    @Test func `what was blocked or refused is no answer`() throws {
        #expect(try CollectedRequests.of(Self.har([Self.entry(#"{"status":0,"bodySize":0}"#)])).map(\.status) == [499])
        let denied = Self.audit.replacingOccurrences(
            of: "\"requestMetadata\"",
            with: "\"status\":{\"code\":7},\"requestMetadata\""
        )
        #expect(try CollectedRequests.of(denied).map(\.status) == [403])
    }

    @Test(
        arguments: [
            (
                #"{"log":{"version":"1.2","entries":[{"request":{"url":"ftp://x"},"response":{},"startedDateTime":"2026-11-20T09:00:00Z"},"#,
                "ends behind entry 1"
            ),
            (#"{"insertId":"a","timestamp":"2026-11-20T09:00:00Z"}}"#, "not opened"),
            (#"{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-"#, "ends within entry 1"),
            (#"{"log":{"version":"1.2"}}"#, "there are no entries"),
            (#"{"log":{"version":"1.2","entries":[{"request":{}}]}}"#, "entry 1: expected a 'request'"),
            (
                #"{"log":{"version":"1.2","entries":[{"request":{"url":"http://x"},"response":{},"startedDateTime":"no"}]}}"#,
                "no time"
            ),
        ]
    )
    func `an archive that is wrong says where`(_ log: String, _ message: String) {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(log) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    private static let audit = #"""
        {"insertId":"a1","timestamp":"2026-11-20T09:00:00.123456789Z","protoPayload":{"methodName":"storage.objects.get",
        "resourceName":"projects/_/buckets/b/objects/u/p/0","requestMetadata":{"callerIp":"1.2.3.4"}}}
        """#
    private static let balanced = #"""
        {"insertId":"a2","timestamp":"2026-11-20T09:00:01Z","httpRequest":{"requestMethod":"GET","status":200,
        "requestUrl":"https://cdn.example.com/u/p/1?sig=SECRET","responseSize":"577","remoteIp":"1.2.3.4"}}
        """#

    @Test(
        arguments: [
            ["[", audit, ",", balanced, "]"], ["[", audit, "]\n[", balanced, "]"], [audit, "\n", balanced, "\n"],
            [audit, balanced, #"{"insertId":"a3","timestamp":"2026-11-20T09:00:02Z","textPayload":"hello"}"#],
        ]
    )
    func `entries come as a list, or one after the other`(_ parts: [String]) throws {
        let requests = try CollectedRequests.of(parts.joined())
        #expect(requests.map(\.object) == ["u/p/0", "u/p/1"])
        #expect(requests.map(\.bucket) == ["b", "cdn.example.com"])
        #expect(requests.map(\.byteCount) == [nil, 577])
        #expect(requests[0].time == 1_795_165_200_123_456)
    }

    @Test func `of a query nothing is kept`() throws {
        let logs = [Self.har([Self.entry(#"{"status":200,"bodySize":1}"#)]), Self.balanced]
        for log in logs {
            for request in try CollectedRequests.of(log) { #expect(!"\(request)".contains("SECRET")) }
        }
    }
}
