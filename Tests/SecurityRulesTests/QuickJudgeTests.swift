// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SecurityRules

/// The quick judge, which looks at documents as they are kept: it says and counts what passes over values do.
@Suite(.timeLimit(.minutes(5)))
struct QuickJudgeTests {
    /// The counts of a condition for one request: how often it was evaluated, whether it held, and its expressions.
    private func counts(_ condition: String, byFacts: Bool) throws -> [Int] {
        let rules = try SampleRules(condition: condition)
        _ = try rules.refusal(byFacts: byFacts)
        let counts = try #require(rules.rules.usage.first?.counts)
        return [counts.evaluations, counts.held, counts.expressions]
    }

    /// The expressions that a pass over values evaluates.
    private func expressionCount(_ condition: String) throws -> Int {
        try SampleRules(condition: condition).expressionCount
    }

    private static var conditions: [String] {
        get throws {
            let lines = try URL.cases("refusals.txt")
            return try URL.cases("truths.txt") + stride(from: 0, to: lines.count, by: 2).map { lines[$0] }
        }
    }

    @Test func `documents and values give one verdict and one count`() throws {
        for condition in try Self.conditions {
            let rules = try SampleRules(condition: condition)
            #expect(try rules.refusal(byFacts: true) == rules.refusal(), "\(condition)")
            #expect(try counts(condition, byFacts: true) == counts(condition, byFacts: false), "\(condition)")
        }
    }

    @Test(arguments: [
        "request.auth.uid == 'alice' && resource.data.s == 'x'",
        "request.auth != null && resource.data.n < 2 && resource.data.f >= 1",
        "2 in resource.data.l && !(2.0 in resource.data.l)",
        "'a' in resource.data.m && resource.data.m.a == 1",
        "resource.data.nul == null && resource.data.b",
        "id == 'd' && database == '(default)'",
        "resource.data.missing == 1 || resource.data.n == 1.0",
        "resource.data.s is string && resource.data.l is list && resource.data.nul != 1",
        "resource != request.auth && resource.data != null",
        "resource.data.ts > timestamp.date(2024, 1, 1)",
        "resource.id == 'd' && resource['data'].s == 'x'",
    ])
    func `conditions hold in one evaluation, with the expressions of a pass`(_ condition: String) throws {
        let counts = [1, 1, try expressionCount(condition)]
        #expect(try self.counts(condition, byFacts: true) == counts)
        #expect(try self.counts(condition, byFacts: false) == counts)
    }

    @Test func `what looks at another document is left to two passes`() throws {
        let condition = "exists(/databases/$(database)/documents/c/d)"
        #expect(try counts(condition, byFacts: true).first == 2)
    }

    @Test func `a text is compared by its bytes`() throws {
        let rules = try SampleRules(condition: "id == '\u{e9}'")
        #expect(try rules.refusal(of: .get, "c/\u{e9}", byFacts: true) == nil)
        #expect(try rules.refusal(of: .get, "c/e\u{301}", byFacts: true) != nil)
    }
}
