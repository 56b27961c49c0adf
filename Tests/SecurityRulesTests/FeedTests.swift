// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import SecurityRules

/// The feed of requests, by that of the official emulator 1.19.9 (2026-11).
@Suite(.timeLimit(.minutes(5)))
struct FeedTests {
    private let feed = RulesFeed { Timestamp(seconds: 1_700_000_001, nanoseconds: 250_000) }
    private var project: FedProject { feed.project("demo-x") }

    // MARK: Messages

    @Test
    func `shows a request that is open at first in both phases, with all outcomes so far`() throws {
        let rules = try SampleRules(
            """
            match /c/{id} {
            allow get: if resource.data.n > 1;
            allow get: if id in ['x'] || zz; }
            """
        )
        _ = try rules.refusal(shownBy: project)
        let messages = last()
        #expect(messages.map(\.outcomes) == ["3 false, 4 false", "3 false, 4 false, 3 false, 4 false"])
        #expect(messages.map(\.outcome) == ["error", "error"])
        #expect(messages[0].text.contains(#""method":"get","resource":{"undefined":{}},"time":"#))
        #expect(messages[1].text.contains(#""method":"get","resource":{"mapValue":{"fields":{"data":{"mapValue":"#))
    }

    @Test
    func `has the members of a message in the order of the official emulator`() throws {
        let rules = try SampleRules(condition: "true")
        _ = try rules.refusal(shownBy: project)
        let message = try #require(last().first)
        #expect(message.text.hasPrefix(#"{"rulesReleaseKey":"projects/demo-x/releases/cloud.firestore"#))
        #expect(
            message.text.contains(
                """
                ","time":"2023-11-14T22:13:21.000250Z","rulesContext":{"path":"/databases/(default)/documents/c/d",\
                "request":{"mapValue":{"fields":{"headers":{"mapValue":{}},"path":{"pathValue":{"segments":[\
                {"simple":"databases"},{"simple":"(default)"},{"simple":"documents"},{"simple":"c"},{"simple":"d"}]}},\
                "inTransaction":{"boolValue":false},"method":{"stringValue":"get"},"auth":{"mapValue":{"fields":{"uid":\
                {"stringValue":"alice"},"token":{"mapValue":{"fields":{"aud":{"stringValue":"demo-x"},"sub":\
                {"stringValue":"alice"},"user_id":{"stringValue":"alice"},"auth_time":{"intValue":"0"},"iss":\
                {"stringValue":"https://securetoken.google.com/demo-x"},"exp":{"intValue":"3600"},"firebase":\
                {"mapValue":{"fields":{"identities":{"mapValue":{}},"sign_in_provider":{"stringValue":"custom"}}}},"iat":\
                {"intValue":"0"}}}}}}},"time":{"timestampValue":"2023-11-14T22:13:20Z"},"fields":{"nullValue":null}}}},\
                "method":"get","resource":{"undefined":{}},"time":"2023-11-14T22:13:20Z"},"granularAllowOutcomes":\
                [{"line":4,"outcome":true}],"outcome":"allow"}
                """
            )
        )
    }

    private static let outcomes = [
        ("allow get: if true;", "allow", "3 true"),
        ("allow get: if false;", "deny", "3 false"),
        ("allow get: if zz;", "error", "3 false"),
        ("allow get: if\n\n(1 == 2);", "deny", "5 false"),
        ("allow\nget;", "allow", "4 true"),
        ("allow list: if true;", "deny", ""),
        ("allow get: if false; allow get: if true; allow get: if false;", "allow", "3 false, 3 true"),
    ]

    @Test("lists the conditions that a pass judges, by the lines on which they begin", arguments: outcomes)
    func lists(allows: String, outcome: String, outcomes: String) throws {
        let rules = try SampleRules("match /c/{id} {\n\(allows)\n}")
        _ = try rules.refusal(shownBy: project)
        let message = try #require(last().first)
        #expect(message.outcome == outcome)
        #expect(message.outcomes == outcomes)
    }

    private static let paths = [("c/d", "c/d"), ("c/?", "c/*"), ("c/d/s/?", "c/d/s/*"), ("**/s/?", "**/s/*")]

    @Test("writes stars into the paths of queries", arguments: paths)
    func writesStars(path: String, shown: String) throws {
        let rules = try SampleRules("match /{all=**} { allow list; }")
        _ = try rules.refusal(of: .list, path, constraints: .map(RulesMap()), shownBy: project)
        let message = try #require(last().first)
        #expect(message.text.contains(#""rulesContext":{"path":"/databases/(default)/documents/\#(shown)","#))
    }

    // MARK: Listeners

    @Test
    func `sends a listener the last messages, and then each as it comes`() throws {
        let rules = try SampleRules("match /c/{id} { allow get: if resource.data.n == 1; allow create, update; }")
        _ = try rules.refusal(shownBy: project)
        let received = NIOLockedValueBox<[String]>([])
        let cancel = feed.listen { text in received.withLockedValue { $0.append(text) } }
        _ = try rules.refusal(of: .create, methods: [.create, .update], shownBy: project)
        let live = received.withLockedValue { Array($0.dropFirst()) }
        #expect(live.count == 2)
        cancel()
        _ = try rules.refusal(shownBy: project)
        #expect(received.withLockedValue { $0.count } == 3)
        #expect(feed.lastText.contains(live.joined(separator: ",")))
        #expect(received.withLockedValue { feed.lastText.hasPrefix($0[0].dropLast()) })
    }

    @Test
    func `begins with an empty array, and keeps the last 50 messages`() throws {
        #expect(feed.lastText == "[]")
        let rules = try SampleRules("match /c/{id} { allow get: if resource.data.n == 1; }")
        // Two messages each.
        for _ in 1...30 { _ = try rules.refusal(shownBy: project) }
        #expect(last().count == 50)
    }

    @Test
    func `gives each message an id of its own, which stays`() throws {
        let rules = try SampleRules("match /c/{id} { allow get: if resource.data.n == 1; }")
        for _ in 1...2 { _ = try rules.refusal(shownBy: project) }
        let ids = last().map(\.id)
        #expect(Set(ids).count == 4)
        #expect(
            ids.allSatisfy {
                $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
            }
        )
        #expect(last().map(\.id) == ids)
    }

    // MARK: Values

    private static let floats: [(Double, String)] = [
        (1, "1"), (-0.0, "0"), (1.5, "1.5"), (-0.25, "-0.25"), (0.001, "0.001"), (0.00001, "0.00001"),
        (0.000001, "0.000001"), (1e-7, "1.0E-7"), (1_000_000, "1000000"), (1e7, "1.0E+7"), (123_456_789, "123456789"),
        (15_000_000, "1.5E+7"), (1e21, "1.0E+21"), (0x1p63, "9.223372036854776E+18"), (.nan, #""NaN""#),
        (-.infinity, #""-Infinity""#), (.leastNonzeroMagnitude, "4.9E-324"),
    ]

    @Test("writes floats as Java's decimal numbers", arguments: floats)
    func writes(float: Double, text: String) {
        #expect(Self.text(of: .float(float)) == #"{"floatValue":\#(text)}"#)
    }

    private static let strings = [
        ("a\"\\\u{8}\t\n\u{C}\r", #"a\"\\\b\t\n\f\r"#), ("</a><b/>/", #"<\/a><b/>/"#),
        ("\u{1}\u{7F}\u{80}\u{9F}\u{A0}é", "\\u0001\u{7F}\\u0080\\u009f\u{A0}é"),
        ("\u{1FFF}\u{2000}\u{2028}\u{20FF}\u{2100}😀", "\u{1FFF}\\u2000\\u2028\\u20ff\u{2100}😀"),
    ]

    @Test("escapes strings as org.json does", arguments: strings)
    func escapes(string: String, text: String) {
        #expect(Self.text(of: .string(string)) == #"{"stringValue":"\#(text)"}"#)
    }

    @Test
    func `writes the members of objects in the order of a Java map, those of one slot as they come`() {
        let map = RulesMap(["b": .null, "a": .null, "q": .null, "z": .null], order: ["q", "b", "a", "z"])
        let keys = Self.text(of: .map(map)).matches(of: /"(.)"/).map { String($0.1) }
        #expect(keys == ["q", "a", "b", "z"])
        let many = RulesMap(Dictionary(uniqueKeysWithValues: (0..<13).map { ("k\($0)", RulesValue.null) }))
        let manyKeys = Self.text(of: .map(many)).matches(of: /"k(\d+)"/).compactMap { Int($0.1) }
        #expect(
            manyKeys
                == ["k0", "k1", "k10", "k11", "k12", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"].inJavaSetOrder
                .compactMap { Int($0.dropFirst()) }
        )
    }

    private static func text(of value: RulesValue) -> String {
        var message = MessageText(.feed)
        message.object { $0.add(value, in: SourceText("")) }
        return message.text
    }

    // MARK: Reading

    private struct Message {
        let text: String

        var id: String { text.firstMatch(of: /"requestId":"([^"]*)"/).map { String($0.1) } ?? "" }
        var outcome: String { text.firstMatch(of: /"outcome":"(\w+)"}$/).map { String($0.1) } ?? "" }
        /// The line of each condition with its outcome.
        var outcomes: String {
            text.matches(of: /\{"line":(\d+),"outcome":(\w+)\}/).map { "\($0.1) \($0.2)" }.joined(separator: ", ")
        }
    }

    /// The messages of the feed's array.
    private func last() -> [Message] {
        let parts = feed.lastText.dropFirst().dropLast().components(separatedBy: #",{"rulesReleaseKey""#)
        return parts.enumerated().map {
            Message(text: $0.offset == 0 ? $0.element : #"{"rulesReleaseKey""# + $0.element)
        }
    }
}

extension RulesFeed {
    /// The array that a listener is sent first.
    fileprivate var lastText: String {
        let text = NIOLockedValueBox("")
        listen { message in text.withLockedValue { $0 = message } }()
        return text.withLockedValue { $0 }
    }
}
