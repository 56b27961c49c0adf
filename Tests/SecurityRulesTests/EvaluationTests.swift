// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SecurityRules

/// Conditions, as the official emulator evaluates them.
@Suite(.timeLimit(.minutes(5)))
struct EvaluationTests {
    @Test func `conditions hold that hold on the official emulator`() throws {
        for condition in try URL.cases("truths.txt") {
            #expect(try SampleRules(condition: condition).refusal() == nil, "\(condition)")
        }
    }

    @Test func `refusals have the official emulator's text`() throws {
        let lines = try URL.cases("refusals.txt")
        for place in stride(from: 0, to: lines.count, by: 2) {
            let expected = String(lines[place + 1].dropFirst()).replacing("\\n", with: "\n")
            #expect(try SampleRules(condition: lines[place]).refusal() == expected, "\(lines[place])")
        }
    }

    /// A sum of literals, each of which is an expression, as each sum is; the comparison and the number are two more.
    private static func sum(ofLiterals count: Int) -> String {
        (0..<count / 50).map { _ in "(" + Array(repeating: "0", count: 50).joined(separator: " + ") + ")" }
            .joined(separator: " + ") + " == 0"
    }

    @Test func `no more than 1000 expressions are evaluated, whatever stands beside them`() throws {
        let limit = "maximum of 1000 expressions"
        #expect(try SampleRules(condition: Self.sum(ofLiterals: 450)).refusal() == nil)
        for condition in [Self.sum(ofLiterals: 550), "(\(Self.sum(ofLiterals: 550))) || true"] {
            #expect(try SampleRules(condition: condition).refusal()?.contains(limit) == true)
        }
        let unconditional = try SampleRules("match /c/{id} { allow get: if \(Self.sum(ofLiterals: 550)); allow get; }")
        #expect(try unconditional.refusal()?.contains(limit) == true)
    }

    @Test(arguments: ["!(%)", "[%][0]", "{'a': %}.get('a', 1)", "(% && true)", "(true ? % : 1)"])
    func `calls within one another end before the stack does`(_ form: String) async throws {
        var functions = ""
        for number in 0..<20 {
            var body = number < 19 ? "f\(number + 1)()" : "true"
            for _ in 0..<40 { body = form.replacing("%", with: body) }
            functions += "function f\(number)() { return \(body); }\n"
        }
        let rules = try SampleRules(functions + "match /c/{id} { allow get: if f0() == true; }")
        let refusal = try rules.refusal()
        #expect(refusal == nil || refusal?.contains("Unable to evaluate") == true)
    }

    @Test func `a pattern that backtracks elsewhere takes time in proportion to the text`() throws {
        let text = String(repeating: "a", count: 60_000)
        #expect(try SampleRules(condition: "!'\(text)'.matches('(a*)*b')").refusal() == nil)
    }

    @Test func `functions see what is around their declaration`() throws {
        let rules = """
            function signedIn() { return request.auth != null; }
            match /c/{id} {
              function own(name) { let wanted = name + ''; return id == wanted && signedIn(); }
              allow get: if own('d');
            }
            """
        #expect(try SampleRules(rules).refusal() == nil)
        #expect(try SampleRules(rules).refusal(of: .get, "c/e") == "\nfalse for 'get' @ L5")
    }
}
