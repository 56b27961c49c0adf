// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SecurityRules

/// All issues of a file of rules, with their places, as the official emulator lists them.
@Suite(.timeLimit(.minutes(5)))
struct IssuesTests {
    private struct Case: CustomTestStringConvertible, Sendable {
        let source: String
        var issues: [String] = []

        var testDescription: String { source }
    }

    private static let cases: [Case] = {
        var cases: [Case] = []
        for line in (try? URL.cases("issues.txt")) ?? [] {
            if line.hasPrefix("\t") {
                cases[cases.count - 1].issues.append(String(line.dropFirst()))
            } else {
                cases.append(Case(source: line.replacing("\\n", with: "\n")))
            }
        }
        return cases
    }()

    private static func issues(of source: String) -> [String] {
        let found: [RulesIssue]
        do {
            found = try CompiledRules(source, service: "cloud.firestore").warnings
        } catch {
            found = error.issues
        }
        return found.map { issue in
            let place = issue.position.map { "\($0.line):\($0.column) \($0.offset)-\($0.endOffset)" } ?? "0:0 0-0"
            return "\(issue.severity.rawValue) \(place) \(issue.text)"
        }
    }

    @Test func `there are cases`() { #expect(Self.cases.count > 150) }

    @Test(arguments: cases) private func `a file has the official issues`(_ rules: Case) {
        #expect(Self.issues(of: rules.source) == rules.issues)
    }

    @Test func `brackets in brackets that never close are named quickly`() {
        for start in ["(", "f(", "[", "{", "a["] {
            let source = "service cloud.firestore { match /a { allow read: if " + String(repeating: start, count: 60)
            #expect(Self.issues(of: source).first?.hasSuffix("Unexpected '<EOF>'.") == true)
        }
    }
}
