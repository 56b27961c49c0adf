// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecurityRules

/// Lists and paths that fail for a part before their last leave operands behind (answers of the official emulator 1.19.9, 2026-11).
struct LeftOperandsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let condition: String
        /// The end of the refusal; `nil` where the request is allowed.
        let refusal: String?

        init(_ condition: String, _ refusal: String? = nil) {
            (self.condition, self.refusal) = (condition, refusal)
        }

        var testDescription: String { condition }
    }

    private static func type(_ received: String) -> String {
        "Type error. Received: [\(received)] Expected: [bool]. for 'get' @ L3"
    }

    private static let isFalse = "false for 'get' @ L3"
    private static let failed = "failed"

    static let cases = [
        Case("(([resource.data.zz, 1] == [1]) || true) == true", isFalse),
        Case("(([resource.data.zz, 1] == [1]) || true) == false", isFalse),
        Case("true == (([resource.data.zz, false] == [1]) || true)"),
        Case("[resource.data.zz, 1] == [1] || true"),
        Case(
            "resource.data.yy == 1 || [resource.data.zz, 1] == [1]",
            "Property zz is undefined on object. for 'get' @ L3"
        ),
        Case("true && ([resource.data.zz, 1] == [1] || true)", type("list")),
        Case("(true && ([resource.data.zz, false] == [1] || true)) == false", isFalse),
        Case("second([resource.data.zz, 1], true)", type("int")),
        Case("second([1, resource.data.zz], true)"),
        Case("second([resource.data.zz, true].n, 3)"),
        Case("second([resource.data.zz, 1] is list, true)", type("string")),
        Case("second([resource.data.zz, 1] in [1], true)", type("int")),
        Case("second(/a/$(resource.data.zz)/b, true)", type("string")),
        Case("second(/a/b/$(resource.data.zz), true)"),
        Case("second({'a': [resource.data.zz, 'q'], 'b': 2}, true)", type("int")),
        Case("second('a'.replace([resource.data.zz, true], 'c'), 9)", type("string")),
        Case("second('a'.replace('c', [resource.data.zz, true]), 9)"),
        Case(
            "{'n': [resource.data.zz, 2.5], 'b': 1} == {}",
            "Type error. Received: [float] Expected: [string]. for 'get' @ L3"
        ),
        // Unknown, before the document is read, is a failure, too.
        Case("(([resource.data.n, 1] == [1, 1]) || true) == true", isFalse),
        Case("true ? [resource.data.n, 1] == [1, 1] : false", failed),
        Case("true ? [1, resource.data.n] == [1, 1] : false"),
        Case("resource.data.n == 1 ? [resource.data.n, 1] == [1, 1] : false"),
        Case("resource.data.n == 1 || (true ? [resource.data.n, 1] == [1, 1] : false)", failed),
        Case("true || (true ? [resource.data.n, 1] == [1, 1] : false)"),
        Case("true ? isTrue([resource.data.zz, null]) : false", failed),
        Case("true ? isTrue([resource.data.zz, false]) : false"),
        Case("true ? isTrue(/a/$(resource.data.zz)/b) : false", failed),
        // In the second phase the failure ends the pass without a word.
        Case(
            "(resource.data.n == 1 ? isTrue([resource.data.zz, 1]) : false) || resource.data.n == 1",
            "evaluation error at L3:1 for 'get' @ L3"
        ),
        Case("'abc'.replace('b', '$1') == 'x' || true", failed),
        Case("resource.data.s == 'x' || 'abc'.replace('b', '$1') == 'x'", failed),
        Case("resource.data.s.replace('x', '$1') == 'x'", "evaluation error at L3:1 for 'get' @ L3"),
    ]

    @Test(arguments: cases) func `what is left behind is taken by operators further out`(_ example: Case) throws {
        let rules = try SampleRules(
            """
            function isTrue(a) { return true; } function second(a, b) { return b; } match /c/{id} { allow get: if
            \(example.condition); }
            """
        )
        let refusal = try rules.refusal()
        guard let expected = example.refusal else {
            #expect(refusal == nil)
            return
        }
        #expect(refusal?.hasSuffix(expected) == true, "\(refusal ?? "allowed")")
    }
}
