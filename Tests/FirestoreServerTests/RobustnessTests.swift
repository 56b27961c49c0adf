// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Testing

/// Requests that must not be sent.
struct RobustnessTests {
    private static func nestedMaps(_ depth: Int) -> String {
        let open = String(repeating: #"{"mapValue":{"fields":{"a":"#, count: depth)
        return open + #"{"nullValue":null}"# + String(repeating: "}}}", count: depth)
    }

    @Test func `carries maps as deep as the store allows`() async throws {
        let fixture = try FirestoreFixture()
        #expect(await fixture.send("POST", "/cities", #"{"fields":{"a":\#(Self.nestedMaps(19))}}"#).status == 200)
        let tooDeep = await fixture.send("POST", "/cities?documentId=b", #"{"fields":{"a":\#(Self.nestedMaps(21))}}"#)
        #expect(tooDeep.status == 400)
        #expect(tooDeep.text.contains("invalid nested entity"))
    }

    @Test(arguments: ["[", #"{"mapValue":{"fields":{"a":"#, #"{"structuredQuery":"#])
    func `survives bottomless nesting`(opening: String) async throws {
        let body = #"{"fields":{"a":"# + String(repeating: opening, count: 100_000)
        let response = try await FirestoreFixture().send("POST", "/cities", body)
        #expect(response.status == 400)
        #expect(response.text.contains("Message too deep."))
    }

    @Test(
        arguments: [
            (":batchGet", #"{"documents":["NAME"]}"#), (":commit", #"{"writes":[{"delete":"NAME"}]}"#),
            (":commit", #"{"NAME":1}"#), (":runQuery", #"{"structuredQuery":{"NAME":{"NAME":1}}}"#),
            (
                ":runQuery",
                #"{"structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"NAME-"}}]}}"#
            ),
            (":runAggregationQuery", #"{"structuredAggregationQuery":{"aggregations":[{"alias":"__NAME__"}]}}"#),
        ]
    )
    func `does not echo a name of megabytes`(path: String, body: String) async throws {
        let body = body.replacing("NAME", with: String(repeating: "n", count: 2 << 20))
        let response = try await FirestoreFixture().send("POST", path, body)
        #expect(response.status == 400)
        #expect(response.text.utf8.count < 64 << 10)
        #expect(response.text.contains("nnn..."))
    }

    /// Single-byte damage to valid requests; the seed is fixed.
    @Test func `answers damaged requests with a status`() async throws {
        let fixture = try FirestoreFixture()
        let steps = (GoldenAnswer.documents + GoldenAnswer.commits + GoldenAnswer.queries + GoldenAnswer.listings)
            .map(\.request)
        var random = SplitMix(state: 42)
        for step in steps {
            for _ in 0..<40 {
                var target = Array("/v1/\(FirestoreFixture.documents)\(step.path)".utf8)
                var body = Array(GoldenAnswer.expand(step.body).utf8)
                Self.damage(&target, using: &random)
                Self.damage(&body, using: &random)
                let response = await fixture.send(
                    RESTRequest(method: step.method, target: String(decoding: target, as: UTF8.self), body: body)
                )
                #expect([200, 400, 403, 404, 409, 501].contains(response.status), "\(response.text)")
            }
        }
    }

    private static func damage(_ bytes: inout [UInt8], using random: inout SplitMix) {
        guard !bytes.isEmpty, Bool.random(using: &random) else { return }
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
}

/// A small seeded generator (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
