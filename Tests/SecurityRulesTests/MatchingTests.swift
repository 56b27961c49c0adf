// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecurityRules

/// Which conditions are asked, by the path and the method of a request.
@Suite(.timeLimit(.minutes(5)))
struct MatchingTests {
    private struct Case: Sendable {
        var version = "2"
        let match: String
        let path: String
        let isMatched: Bool
    }

    private static let cases = [
        Case(match: "/c/{id}", path: "c/d", isMatched: true),
        Case(match: "/c/{id}", path: "c/d/e/f", isMatched: false),
        Case(match: "/c/d", path: "c/d", isMatched: true),
        Case(match: "/c/{all=**}", path: "c/d/e/f", isMatched: true),
        Case(match: "/c/d/{rest=**}", path: "c/d", isMatched: true),
        Case(version: "1", match: "/c/d/{rest=**}", path: "c/d", isMatched: false),
        Case(version: "1", match: "/c/{all=**}", path: "c/d/e/f", isMatched: true),
        Case(match: "/{path=**}/e/{id}", path: "c/d/e/f", isMatched: true),
        Case(match: "/{path=**}/e/{id}", path: "e/f", isMatched: true),
        Case(match: "/{path=**}/e/{id}", path: "c/d", isMatched: false),
        // The document that a query asks for has no name, and a query of a group begins anywhere.
        Case(match: "/c/{id}", path: "c/?", isMatched: true),
        Case(match: "/c/d", path: "c/?", isMatched: false),
        Case(match: "/{path=**}/c/{id}", path: "**/c/?", isMatched: true),
        Case(match: "/c/{id}", path: "**/c/?", isMatched: false),
        Case(match: "/%63/{id}", path: "c/d", isMatched: true),
        Case(match: "/{a}/{b}/{c}/{d}", path: "c/d", isMatched: false),
    ]

    @Test(arguments: cases) private func `a match is for the paths of its pattern`(_ sample: Case) throws {
        let rules = try SampleRules(version: sample.version, "match \(sample.match) { allow get; }")
        #expect(try rules.refusal(of: .get, sample.path) == (sample.isMatched ? nil : "No matching allow statements"))
    }

    @Test(arguments: RulesMethod.allCases)
    func `read and write stand for methods, in any case`(_ method: RulesMethod) throws {
        let isRead = method == .get || method == .list
        #expect(try SampleRules("match /c/{id} { allow Read; }").refusal(of: method) == nil ? isRead : !isRead)
        #expect(try SampleRules("match /c/{id} { allow WRITE; }").refusal(of: method) == nil ? !isRead : isRead)
    }

    @Test func `a write that may create and update is allowed at once where both are`() throws {
        let both = try SampleRules("match /c/{id} { allow create, update; }")
        #expect(try both.refusal(of: .update, methods: [.create, .update]) == nil)
        let one = try SampleRules("match /c/{id} { allow create; allow update: if false; }")
        #expect(try one.refusal(of: .create, methods: [.create, .update]) == nil)
        #expect(
            try one.refusal(of: .update, methods: [.create, .update])
                == "\nfalse for 'create' @ L2, false for 'update' @ L2, false for 'update' @ L2"
        )
    }

    @Test func `rules for another service allow nothing`() throws {
        let source = "service firebase.storage { match /b/{bucket}/o { match /{all=**} { allow read; } } }"
        let rules = SampleRules(rules: try CompiledRules(source, service: "cloud.firestore"))
        #expect(try rules.refusal() == "No matching allow statements")
    }
}
