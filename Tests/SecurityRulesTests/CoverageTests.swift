// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecurityRules

/// Reports of coverage, by those of the official emulator 1.19.9 (2026-11).
@Suite(.timeLimit(.minutes(5)))
struct CoverageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let source: String
        /// Of a node and those in it: the text, or the values with their counts.
        let nodes: [String]

        init(_ source: String, _ nodes: String...) { (self.source, self.nodes) = (source, nodes) }

        var testDescription: String { source }
    }

    // MARK: Places

    private static let placed = [
        Case("true"),
        Case("(false)"),
        Case("id.size() == 1", "id.size() == 1", "id.size", "id"),
        Case("id in ['d']", "id in ['d'", "['d'", "id"),
        Case("!(true)", "!("),
        Case("!(id == 'd')", "!(id == 'd'", "(id == 'd'", "id"),
        Case("(1) + (2) == 3", "(1) + (2) == 3", "(1) + ("),
        Case("id == ((3))", "id == (", "id"),
        Case("-(1) == -((1))", "-(1) == -((", "-(1", "-(("),
        Case("1 == -9223372036854775808", "1 == -"),
        Case("([]) == []", "([]) == [", "(", "["),
        Case("((id)).size() == 1", "((id)).size() == 1", "((id)).size", "(id"),
        Case(
            "(request.auth).uid == id",
            "(request.auth).uid == id",
            "(request.auth).uid",
            "request.auth",
            "request",
            "id"
        ),
        Case("id[0:] == 'd'", "id[0:] == 'd'", "id[0", "id"),
        Case("[id][0] is string", "[id][0] is string", "[id][0", "[id", "id"),
        Case("/a/$(id)/{x=**} == id", "/a/$(id)/{x=**} == id", "/a/$(id)/{x", "id", "id"),
        Case(
            "{'a': (1), id: 2}.size() == 2",
            "{'a': (1), id: 2}.size() == 2",
            "{'a': (1), id: 2}.size",
            "{'a': (1), id: 2",
            "id"
        ),
        Case("math.abs(1) == 1", "math.abs(1) == 1", "math.abs(1"),
        Case("id.nope(id)", "id.nope(id", "id", "id"),
        Case("true ? id == 'd' : false", "true ? id == 'd' : false", "id == 'd'", "id"),
    ]

    @Test("places expressions by their tokens, and shows no constants", arguments: placed)
    func places(sample: Case) throws {
        let coverage = RulesCoverage(of: try SampleRules(condition: sample.source).rules)
        #expect(coverage.texts == sample.nodes)
    }

    @Test
    func `lists functions before nested matches, and these before the conditions of their match`() throws {
        let rules = try SampleRules(
            """
            match /a { allow get: if 1 == 1; match /b { allow get: if 2 == 2; } function g() { return 3 == 3; } }
            function f() { let a = 4 == 4; return (a); }
            """
        )
        let texts = RulesCoverage(of: rules.rules).texts
        #expect(texts == ["let a = 4 == 4; return (a", "4 == 4", "(a", "3 == 3", "2 == 2", "1 == 1"])
    }

    @Test
    func `counts code points, not bytes`() throws {
        let coverage = RulesCoverage(of: try SampleRules(condition: "/*😀é*/ id == '😀'").rules)
        let position = try #require(coverage.nodes.first?.position)
        #expect((position.column, position.endOffset - position.offset) == (8, 8))
    }

    // MARK: Values

    private static let recorded = [
        Case("id == 'x' && zz", "false", "false", "'d'", "left out"),
        Case("id == 'd' || zz", "true", "true", "'d'", "left out"),
        Case("id == 'q' ? id == 'e' : id == 'd'", "true", "false", "'d'", "left out", "left out", "true", "'d'"),
        Case("zz == 1", "Null value error. at zz x2", "Null value error. at zz x2"),
        Case("id.zz", "Type error. Received: [string] Expected: [map,path]. at id x2", "'d' x2"),
        Case("(null).x", "Null value error. at null x2"),
        Case("id.nope()", "Function not found error: Name: [nope]. at id x2", "'d' x2"),
        Case(
            "[1][5] == 1",
            "Index out of bound error. Index: [5] , size: [1]. at [ x2",
            "Index out of bound error. Index: [5] , size: [1]. at [ x2",
            "[1] x2"
        ),
        Case("1 / 0 == 1", "Divide by zero error. at / x2", "Divide by zero error. at / x2"),
        Case("id && true", "Type error. Received: [string] Expected: [bool]. at && x2", "'d' x2"),
        Case("true && id", "Type error. Received: [string] Expected: [bool]. at true x2", "'d' x2"),
        Case("id ? true : false", "Type error. Received: [string] Expected: [bool]. at ? x2", "'d' x2"),
        Case("resource.data.n == 1", "unknown, true", "unknown, 1", "unknown, map", "unknown, map"),
    ]

    @Test("records each value with its count, and where failures arose", arguments: recorded)
    func values(sample: Case) throws {
        let rules = try SampleRules(condition: sample.source)
        let coverage = RulesCoverage(of: rules.rules)
        _ = try rules.refusal(recordedIn: coverage)
        #expect(coverage.valueTexts == sample.nodes)
    }

    @Test
    func `counts a condition again for each that follows it in the pass`() throws {
        let rules = try SampleRules(
            """
            match /c/{id} {
              allow get: if id == 'q'; allow get: if false; allow get: if false; allow get;
            }
            match /{x}/{id} { allow get: if x == 'c'; }
            """
        )
        let coverage = RulesCoverage(of: rules.rules)
        #expect(try rules.refusal(recordedIn: coverage) == nil)
        #expect(coverage.valueTexts == ["false x5", "'d' x5", "true", "'c'"])
    }

    @Test
    func `records the phases of a request whose quick pass decides`() throws {
        let rules = try SampleRules("match /c/{id} { allow get: if resource.data.n == 1; }")
        let coverage = RulesCoverage(of: rules.rules)
        for _ in 0..<3 { #expect(try rules.refusal(recordedIn: coverage) == nil) }
        #expect(coverage.valueTexts.first == "unknown x3, true x3")
        #expect(rules.rules.usage.map(\.counts.evaluations) == [3])
    }

    @Test
    func `keeps the integer 1, the float 1 and both zeros apart`() {
        let values: [RulesValue] = [
            .integer(1), .float(1), .float(0), .float(-0.0), .string("1"), .boolean(true), .null,
        ]
        #expect(Set(values.map(ValueKey.init)).count == values.count)
        #expect(ValueKey(.float(.nan)) == ValueKey(.float(-.nan)))
        let (left, right) = (RulesMap(["a": .null, "b": .integer(1)]), RulesMap(["b": .integer(1), "a": .null]))
        #expect(ValueKey(.map(left)) == ValueKey(.map(right)))
    }

    @Test
    func `shows no more different values of a node than it may`() throws {
        let rules = try SampleRules("match /c/{id} { allow get: if id == 'q'; }")
        let coverage = RulesCoverage(of: rules.rules)
        for number in 0..<(RulesCoverage.valueCountMax + 5) {
            _ = try rules.refusal("c/\(number)", recordedIn: coverage)
        }
        let id = try #require(coverage.nodes.first?.children.first)
        #expect(id.counts.count == RulesCoverage.valueCountMax)
    }

    // MARK: Forms

    @Test
    func `writes the report as the official emulator prints its messages`() throws {
        let source = "service cloud.firestore { match /a { allow get: if zz; } }"
        let rules = try CompiledRules(source, service: "cloud.firestore")
        let report = RulesSource.report(of: [RulesSource(content: source, name: "a\n")], RulesCoverage(of: rules))
        #expect(
            report == """
                {
                  "rules": {
                    "files": [{
                      "content": "service cloud.firestore { match /a { allow get: if zz; } }",
                      "name": "a\\n"
                    }]
                  },
                  "report": [{
                    "sourcePosition": {
                      "line": 1,
                      "column": 52,
                      "currentOffset": 51,
                      "endOffset": 52
                    }
                  }]
                }

                """
        )
    }

    @Test
    func `escapes the text of rules on the page`() throws {
        let source = "service cloud.firestore { match /a { allow get: if '<script>' == \"'&\" && zz; } }"
        let rules = try CompiledRules(source, service: "cloud.firestore")
        let page = CoveragePage(of: RulesSource(content: source), RulesCoverage(of: rules), project: "<b>").text
        #expect(!page.contains("<script>") && !page.contains("<b>"))
        #expect(page.contains("&#39;&lt;script&gt;&#39; == &quot;&#39;&amp;&quot;</span>"))
        #expect(page.contains("title=\"Expression never evaluated\""))
    }
}

extension RulesCoverage {
    private var all: [CoverageNode] { nodes.flatMap(\.all) }

    /// The texts of all nodes, each before those in it.
    fileprivate var texts: [String] {
        let text = SourceText(rules.source)
        return all.map { text[$0.range] }
    }

    /// The values of all nodes, each before those in it.
    fileprivate var valueTexts: [String] {
        let text = SourceText(rules.source)
        return all.map { node in
            node.counts.map { count in
                let value = count.value.map { $0.sampleText(in: text) } ?? "left out"
                return count.count == 1 ? value : "\(value) x\(count.count)"
            }.joined(separator: ", ")
        }
    }
}

extension CoverageNode {
    fileprivate var all: [CoverageNode] { [self] + children.flatMap(\.all) }
}

extension RulesValue {
    fileprivate func sampleText(in source: SourceText) -> String {
        switch self {
        case .boolean(let isTrue): "\(isTrue)"
        case .integer(let number): "\(number)"
        case .string(let text): "'\(text)'"
        case .list(let elements): "[\(elements.map { $0.sampleText(in: source) }.joined(separator: ", "))]"
        case .failure(.located(let failure, let place)): "\(failure.text ?? "") at \(source[place])"
        case .failure(.unknown): "unknown"
        default: typeName
        }
    }
}
