// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import HTTPTypes
import MeterLedger
import Metering
import Testing
import Wire

@Suite(.timeLimit(.minutes(5))) struct ConsoleServerTests {
    private static let emulators = """
        {
          "firestore": {
            "listen": [
              {
                "address": "127.0.0.1",
                "family": "IPv4",
                "port": 8080
              }
            ],
            "name": "firestore",
            "host": "127.0.0.1",
            "port": 8080
          },
          "storage": {
            "listen": [
              {
                "address": "127.0.0.1",
                "family": "IPv4",
                "port": 9199
              }
            ],
            "name": "storage",
            "host": "127.0.0.1",
            "port": 9199
          }
        }
        """

    @Test(arguments: ["/", "/emulators", "/emulators?x=1"])
    func `tells where the services are`(_ path: String) async throws {
        #expect(try await ConsoleFixture().ask(.get, path) == ConsoleAnswer(200, Self.emulators))
    }

    private static func figures(_ requests: Int, sent: Int, body: Int) -> String {
        #"""
        "requests":\#(requests),"bytes":{"received":\#(requests * 100),"sent":\#(sent),"bodySent":\#(body)},\#
        "billed":{"egressBytes":\#(body),"classA":0,"classB":\#(requests),"documentReads":0,"documentWrites":0,\#
        "documentDeletes":0,"ruleReads":0,"tier1ActiveUsers":0,"tier2ActiveUsers":0,"smsMessages":0}
        """#
    }

    private static func total(_ figures: String) -> ConsoleAnswer {
        ConsoleAnswer(200, #"{\#(figures),"missingIndexes":[]}"#)
    }

    @Test func `tells what was used`() async throws {
        let console = try ConsoleFixture()
        #expect(try await console.ask(.get, "/usage") == Self.total(Self.figures(0, sent: 0, body: 0)))
        try console.record("u/p/0", sentBodyBytes: 1_000)
        try console.record("u/p/1", sentBodyBytes: 500)
        let total = Self.figures(2, sent: 1_600, body: 1_500)
        #expect(try await console.ask(.get, "/usage") == Self.total(total))
        let first = Self.figures(1, sent: 1_050, body: 1_000)
        let second = Self.figures(1, sent: 550, body: 500)
        let groups = #"{"key":"u/p/0",\#(first)},{"key":"u/p/1",\#(second)}"#
        let answer = try await console.ask(.get, "/usage?by=object")
        #expect(answer == ConsoleAnswer(200, #"{"by":"object","total":{\#(total)},"groups":[\#(groups)]}"#))
    }

    @Test(arguments: UsageDimension.allCases)
    func `groups by every dimension`(_ dimension: UsageDimension) async throws {
        let answer = try await ConsoleFixture().ask(.get, "/usage?by=\(dimension.rawValue)")
        #expect(answer.status == 200)
        #expect(answer.body.hasPrefix(#"{"by":"\#(dimension.rawValue)","total":{"requests":0,"#))
    }

    @Test func `tells what was used since a mark`() async throws {
        let console = try ConsoleFixture()
        try console.record("u/p/0", sentBodyBytes: 1_000)
        #expect(try await console.ask(.post, "/usage/marks") == ConsoleAnswer(200, #"{"mark":"m1-1"}"#))
        try console.record("u/p/1", sentBodyBytes: 500)
        let since = Self.figures(1, sent: 550, body: 500)
        #expect(try await console.ask(.get, "/usage?since=m1-1") == ConsoleAnswer(200, "{\(since)}"))
        #expect(try await console.ask(.get, "/usage?since=%6D1-1") == ConsoleAnswer(200, "{\(since)}"))
        let grouped = try await console.ask(.get, "/usage?since=m1-1&by=object")
        let groups = #"[{"key":"u/p/1",\#(since)}]"#
        #expect(grouped == ConsoleAnswer(200, #"{"by":"object","total":{\#(since)},"groups":\#(groups)}"#))
    }

    @Test func `tells what was used to Prometheus`() async throws {
        let console = try ConsoleFixture()
        try console.record("a\"b\\c\nd", sentBodyBytes: 1_000)
        let answer = try await console.ask(.get, "/metrics?by=object")
        #expect(answer.contentType == "text/plain; version=0.0.4; charset=utf-8")
        let lines = answer.body.split(separator: "\n")
        #expect(lines.count == 14 * 3)
        #expect(lines.contains("# TYPE firemeter_billed_egress_bytes gauge"))
        #expect(lines.contains(#"firemeter_billed_egress_bytes{object="a\"b\\c\nd"} 1000"#))
        let byOperation = try await console.ask(.get, "/metrics").body
        #expect(byOperation.contains(#"firemeter_requests{operation="storage.objects.get"} 1"#))
    }

    private static let notFound = """
        Not Found: there are /emulators, /metrics, /quota, /usage, /usage/events, /usage/functions, /usage/kernel, \
        /usage/marks and /usage/rules; docs/console.md lists what is below /console.
        """
    private static let ungrouped = """
        The parameter 'by' cannot be 'bytes'; it can be object, feed, user, client, operation, query, service, bucket, \
        database, collection, variant, cache, status, outcome, tag.
        """

    private static let disordered = """
        The parameter 'order' cannot be 'size'; it can be requests, bytes.received, bytes.sent, bytes.bodySent, \
        billed.egressBytes, billed.classA, billed.classB, billed.documentReads, billed.documentWrites, \
        billed.documentDeletes, billed.ruleReads, billed.tier1ActiveUsers, billed.tier2ActiveUsers, billed.smsMessages, \
        usd.
        """
    private static let badLimit = "The parameter 'limit' cannot be '-1'; it is a number of groups, at most 100000."

    private static func badStep(_ text: String) -> String {
        "The parameter 'every' cannot be '\(text)'; it is a time such as 1m, 6h or 1d."
    }

    @Test(
        arguments: [
            (.get, "/nope", .failure(404, notFound)),
            (.get, "/usage/", .failure(404, notFound)),
            (.post, "/usage", .failure(405, "Method Not Allowed: only GET is.", allow: "GET")),
            (.head, "/emulators", .failure(405, "Method Not Allowed: only GET is.", allow: "GET")),
            (.delete, "/", .failure(405, "Method Not Allowed: only GET is.", allow: "GET")),
            (.post, "/metrics", .failure(405, "Method Not Allowed: only GET is.", allow: "GET")),
            (.post, "/usage/events", .failure(405, "Method Not Allowed: only GET is.", allow: "GET")),
            (.get, "/usage/marks", .failure(405, "Method Not Allowed: only POST is.", allow: "POST")),
            (.get, "/usage?by=bytes", .failure(400, ungrouped)),
            (.get, "/usage?since=yesterday", .failure(400, "'yesterday' is no mark that POST /usage/marks returned.")),
            (.get, "/usage?since=", .failure(400, "'' is no mark that POST /usage/marks returned.")),
            (.get, "/usage?since=m9-9", .failure(400, "'m9-9' is no mark of these data; ask for a new one")),
            (.get, "/usage?by=user&limit=-1", .failure(400, badLimit)),
            (.get, "/usage?by=user&order=size", .failure(400, disordered)),
            (.get, "/usage?every=0m", .failure(400, badStep("0m"))),
            (.get, "/usage?every=5", .failure(400, badStep("5"))),
            (.get, "/usage?every=9223372036854775807d", .failure(400, badStep("9223372036854775807d"))),
            (.get, "/usage?order=size", .failure(400, disordered)),
            (.get, "/usage?orderd=x", .failure(400, "There is no parameter 'orderd'; did you mean 'order'?")),
            (
                .get, "/usage?foo=1",
                .failure(400, "There is no parameter 'foo'; there are by, every, format, limit, order, since, tag.")
            ),
            (.get, "/usage?format=xml", .failure(400, "The parameter 'format' cannot be 'xml'; it can be json, csv.")),
            (.get, "/usage?by=%zz", .failure(400, "The query holds a broken percent escape.")),
        ] as [(HTTPRequest.Method, String, ConsoleAnswer)]
    )
    func `refuses`(_ method: HTTPRequest.Method, _ path: String, _ answer: ConsoleAnswer) async throws {
        #expect(try await ConsoleFixture().ask(method, path) == answer)
    }

    @Test func `says when nothing is metered`() async throws {
        let console = try ConsoleFixture(isMetered: false)
        let refusal = ConsoleAnswer.failure(409, "Nothing is metered: the emulator was started with --no-meter.")
        #expect(try await console.ask(.get, "/usage") == refusal)
        #expect(try await console.ask(.post, "/usage/marks") == refusal)
        #expect(try await console.ask(.get, "/").status == 200)
        #expect(try await console.ask(.get, "/usage?by=bytes").status == 400)
    }

    @Test func `says what is wrong with the ledger`() async throws {
        let console = try ConsoleFixture()
        try console.ledger?.close()
        let refusal = ConsoleAnswer.failure(500, "closed: the usage ledger is closed; open it anew")
        #expect(try await console.ask(.get, "/usage") == refusal)
    }

    @Test func `refuses a large body`() async throws {
        let exchange = Exchange(attribution: UsageAttribution(service: .firestore, operation: "console"))
        let answer = try await ConsoleAnswer(ConsoleFixture().server.refuseBody(exchange: exchange))
        #expect(answer == .failure(413, "The console takes bodies of at most 1048576 bytes."))
    }
}
