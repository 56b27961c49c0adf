// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog
import Testing

struct SessionEntryTests {
    static let lines = [
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z"}"#,
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T02:00:00+02:00","#
            + #""dataSet":"feed/feed.json","feed":{"bucket":"b","collection":"posts","database":"(default)","#
            + #""project":"demo"},"pageSize":8}"#,
        #"{"type":"view","at":0,"client":"u1","view":"openFeed","sort":"popular","page":0}"#,
        #"{"type":"view","at":900,"client":"u1","view":"scroll","sort":"popular","page":1}"#,
        #"{"type":"view","at":1800,"client":"u1","view":"switchTab","sort":"latest"}"#,
        #"{"type":"view","at":1900,"client":"u1","view":"openFeed","sort":"latest","page":0,"#
            + #""filter":{"equals":"o1","field":"userID"},"pageSize":4}"#,
        #"{"type":"view","at":1900,"client":"u1","view":"scroll","sort":"popular","page":2,"#
            + #""filter":{"equals":-7,"field":"likes"}}"#,
        #"{"type":"view","at":1900,"client":"u1","view":"switchTab","sort":"latest","#
            + #""filter":{"equals":true,"field":"pinned","note":null}}"#,
        #"{"type":"view","at":2700,"client":"ü\n","view":"openPost","owner":"o1","post":"p012"}"#,
        #"{"type":"view","at":3600,"client":"u1","view":"relaunch"}"#,
        #"{"type":"request","at":1795222306653000,"operation":"storage.objects.get","service":"storage","#
            + #""method":"GET","status":200,"bucket":"b","object":"o/f/0","owner":"o","feed":"f","n":0,"#
            + #""client":"ios","user":"u1","tag":"openFeed","received":{"body":0,"header":210,"wire":210},"#
            + #""sent":{"body":40000,"header":380,"wire":40380},"billed":{"classB":1,"egressBytes":40000},"#
            + #""outcome":"aborted","abortCause":"clientClosed","durationMicroseconds":512}"#,
        #"{"type":"request","at":1,"operation":"firestore.runQuery","service":"firestore","method":"POST","#
            + #""status":0,"database":"demo/(default)","collection":"posts","queryShape":"posts limit","#
            + #""received":{"body":0,"header":0,"wire":0},"sent":{"body":0,"header":0,"wire":0},"#
            + #""outcome":"malformed","durationMicroseconds":0}"#,
        #"{"type":"retraction","at":1,"operation":"storage.objects.get","service":"storage","method":"GET","status":200,"#
            + #""received":{"body":0,"header":9,"wire":9},"sent":{"body":5,"header":4,"wire":9},"#
            + #""outcome":"complete","durationMicroseconds":0}"#,
        #"{"type":"part","at":1,"operation":"firestore.listen","service":"firestore","method":"POST","status":200,"#
            + #""received":{"body":0,"header":0,"wire":0},"sent":{"body":5,"header":4,"wire":9},"#
            + #""read":{"changed":true,"documents":[3]},"outcome":"complete","durationMicroseconds":0}"#,
        #"{"type":"request","at":1,"operation":"firestore.runQuery","service":"firestore","method":"POST","status":200,"#
            + #""received":{"body":0,"header":0,"wire":0},"sent":{"body":5,"header":4,"wire":9},"#
            + #""read":{"continued":true,"documents":[1,2],"limit":2,"list":"1x","missing":1,"why":"-"},"#
            + #""outcome":"complete","durationMicroseconds":0}"#,
        #"{"type":"request","at":1,"operation":"storage.objects.list","service":"storage","method":"GET","status":200,"#
            + #""tag":"t","peer":2,"connection":17,"received":{"body":0,"header":0,"wire":0},"#
            + #""sent":{"body":5,"header":4,"wire":9},"listing":{"continued":true,"delimiter":true,"prefix":"a/"},"#
            + #""outcome":"complete","durationMicroseconds":0}"#,
        #"{"type":"request","at":1,"operation":"storage.objects.list","service":"storage","method":"GET","status":200,"#
            + #""connection":1,"received":{"body":0,"header":0,"wire":0},"#
            + #""sent":{"body":5,"header":4,"wire":9},"listing":{"prefix":""},"#
            + #""outcome":"complete","durationMicroseconds":0}"#,
        #"{"type":"recording","hashKey":"1-2"}"#,
        #"{"type":"recording","hashKey":"1-2","continued":true}"#,
        #"{"type":"document","number":1,"database":"demo/(default)","path":"posts/p1","updatedAt":7,"bytes":90,"#
            + #""mentions":{"cover":["1a"],"photos[]":["2b","3c"]},"note":1}"#,
        #"{"type":"object","bucket":"b","object":"u/p/0.jpg","generation":7,"bytes":90,"contentType":"image/jpeg","#
            + #""pixelWidth":4032,"pixelHeight":3024,"orientation":6}"#,
        #"{"type":"object","bucket":"b","object":"a","generation":7,"bytes":0}"#,
        #"{"type":"scene","name":"intro"}"#,
        #"{"type":"view","at":3600,"client":"c1","view":"showPosts","posts":["u1/p1","u2/p3"]}"#,
        #"{"type":"image","object":"u1/p1/0","bytes":132292,"note":"new"}"#,
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","#
            + #""imported":{"assumptions":["a","b"],"bytes":70,"downloads":3}}"#,
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","#
            + #""imported":{"assumptions":[],"bytes":70,"downloads":3,"#
            + #""explained":{"bytePercent":99.5,"readPercent":100.0}}}"#,
        #"{"type":"image","object":"u/p_0.jpg","bytes":9,"bucket":"b","post":"posts/p","n":0,"pixelWidth":4,"pixelHeight":3}"#,
        #"{"type":"view","at":1,"client":"c1","view":"showPosts","posts":["posts/p"],"#
            + #""list":{"bytes":90,"documentReads":8,"name":"posts limit","page":1}}"#,
        #"{"type":"view","at":1,"client":"c1","view":"showPosts","posts":[],"#
            + #""list":{"bytes":90,"documentReads":0,"key":"0","name":"objects of b","objects":true,"page":1}}"#,
        #"{"type":"downloads","cause":"listed","place":"list","list":"posts limit","page":1,"object":"u/p_0.jpg","#
            + #""pixelWidth":4,"bytes":90,"responses":10}"#,
        #"{"type":"downloads","cause":"documents","place":"list","list":"posts limit","page":0,"bytes":90,"#
            + #""responses":10,"documentReads":80}"#,
        #"{"type":"downloads","cause":"again","place":"list","object":"a","bytes":90,"responses":1,"note":"new"}"#,
        #"{"type":"downloads","cause":"opened","place":"post","object":"a","bytes":0,"responses":1}"#,
    ]

    @Test(arguments: lines)
    func `writes what it read, its keys in one order`(line: String) throws {
        let entry = try SessionEntry(line: Array(line.utf8), lineNumber: 1)
        #expect(String(decoding: entry.encoded(), as: UTF8.self) == line)
    }

    @Test(
        arguments: [
            (
                #"{"zoom":1.50,"view":"relaunch","client":"u1","at":1,"type":"view","battery":{"level":3}}"#,
                #"{"type":"view","at":1,"client":"u1","view":"relaunch","battery":{"level":3},"zoom":1.50}"#
            ),
            (
                #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","feed":"#
                    + #"{"region":"eu","project":"p","database":"d","collection":"c","bucket":"b"},"by":[]}"#,
                #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","feed":"#
                    + #"{"bucket":"b","collection":"c","database":"d","project":"p","region":"eu"},"by":[]}"#
            ),
            (
                #"{"type":"request","at":1,"operation":"o","service":"storage","method":"GET","status":200,"#
                    + #""received":{"body":0,"header":0,"wire":0,"tls":9},"sent":{"body":0,"header":0,"wire":0},"#
                    + #""billed":{"future":7,"classA":0},"outcome":"complete","durationMicroseconds":0,"n":4}"#,
                #"{"type":"request","at":1,"operation":"o","service":"storage","method":"GET","status":200,"#
                    + #""received":{"body":0,"header":0,"tls":9,"wire":0},"sent":{"body":0,"header":0,"wire":0},"#
                    + #""outcome":"complete","durationMicroseconds":0,"billed":{"future":7},"n":4}"#
            ),
        ]
    )
    func `keeps unknown fields, also inside known objects`(line: String, expected: String) throws {
        let entry = try SessionEntry(line: Array(line.utf8), lineNumber: 1)
        #expect(String(decoding: entry.encoded(), as: UTF8.self) == expected)
    }

    @Test func `carries a usage record whole`() throws {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.bucket = "b"
        attribution.object = "o/f/3"
        attribution.image = FeedImagePath(owner: "o", feed: "f", index: 3)
        attribution.database = "p/d"
        attribution.collection = "posts"
        attribution.queryShape = "posts limit"
        attribution.client = "ios"
        attribution.user = "u1"
        let record = UsageRecord(
            startMicroseconds: 1,
            durationMicroseconds: 2,
            method: "GET",
            status: 206,
            outcome: .complete,
            attribution: attribution,
            received: TransferredBytes(header: 3, body: 4, wire: 7),
            sent: TransferredBytes(header: 5, body: 6, wire: 11),
            billed: BilledUsage(
                egressBytes: 7,
                classA: 8,
                classB: 9,
                documentReads: 10,
                documentWrites: 11,
                documentDeletes: 12
            )
        )
        let line = SessionEntry.request(SessionRequest(record: record)).encoded()
        #expect(try SessionEntry(line: line, lineNumber: 1) == .request(SessionRequest(record: record)))
    }

    @Test(
        arguments: [
            ("[1]", "expected a JSON object"), ("{", "column 2: expected a key"),
            ("{}", "type: is missing; expected a string"), (#"{"type":1}"#, "type: expected a string"),
            (#"{"type":"view","at":"1"}"#, "at: expected an integer"),
            (#"{"type":"view","at":1.5}"#, "at: expected an integer"),
            (#"{"type":"view","at":-1}"#, "at: expected an integer from 0 to 3155760000000"),
            (#"{"type":"view","at":1}"#, "client: is missing; expected a string"),
            (
                #"{"type":"view","at":1,"client":"u","view":"fly"}"#,
                "view: expected one of openFeed, scroll, switchTab, openPost, relaunch, showPosts"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"switchTab","sort":"best"}"#,
                "sort: expected one of popular, latest"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"scroll","sort":"latest","page":0,"filter":"mine"}"#,
                "filter: expected an object"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"scroll","sort":"latest","page":0,"filter":"#
                    + #"{"field":"likes","equals":1.5}}"#,
                "filter.equals: expected a string, an integer, true or false"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"scroll","sort":"latest","page":0,"filter":{"field":"f"}}"#,
                "filter.equals: is missing; expected a string, an integer, true or false"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"scroll","sort":"latest","page":0,"pageSize":301}"#,
                "pageSize: expected an integer from 1 to 300"
            ),
            (
                #"{"type":"view","at":1,"client":"u","view":"scroll","sort":"latest","page":-1}"#,
                "page: expected an integer from 0 to 100000"
            ),
            (
                #"{"type":"header","schema":"firemeter.session/1","createdAt":"yesterday"}"#,
                "createdAt: expected an RFC 3339 time"
            ),
            (
                #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","feed":"#
                    + #"{"project":"p","database":3}}"#,
                "feed.database: expected a string"
            ),
            (
                #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z","pageSize":0}"#,
                "pageSize: expected an integer from 1 to 300"
            ),
            (
                #"{"type":"header","schema":"firemeter.session/2"}"#,
                #"the header's schema is "firemeter.session/2"; this version reads "firemeter.session/1""#
            ),
            (
                #"{"type":"header"}"#,
                #"the header's schema is missing; this version reads "firemeter.session/1""#
            ),
            (
                #"{"type":"request","at":1,"durationMicroseconds":1,"method":"GET","status":200,"outcome":"complete","#
                    + #""service":"storage","operation":"o","owner":"o"}"#,
                "feed: is missing; expected a string"
            ),
            (
                #"{"type":"request","at":1,"durationMicroseconds":1,"method":"GET","status":200,"outcome":"complete","#
                    + #""service":"storage","operation":"o","received":{"header":1,"body":"x"}}"#,
                "received.body: expected an integer"
            ),
            (
                #"{"type":"request","at":1,"durationMicroseconds":1,"method":"GET","status":200,"outcome":"complete","#
                    + #""service":"storage","operation":"o"}"#,
                "received: is missing; expected an object"
            ),
        ]
    )
    func `names the line and what is wrong with it`(line: String, problem: String) {
        do {
            _ = try SessionEntry(line: Array(line.utf8), lineNumber: 7)
            Issue.record("the line was taken")
        } catch {
            #expect(error.description == "line 7: \(problem)")
            #expect(error.lineNumber == 7)
        }
    }
}
