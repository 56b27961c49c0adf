// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecurityRules

/// Files of rules, and the faults of others.
@Suite(.timeLimit(.minutes(5)))
struct CompilingTests {
    private static func issue(of source: String) -> String? {
        do {
            _ = try CompiledRules(source, service: "cloud.firestore")
            return nil
        } catch {
            return error.issues.first { $0.severity == .error }?.description
        }
    }

    private static func issue(ofBody body: String) -> String? {
        issue(
            of:
                "rules_version = '2';\nservice cloud.firestore {\nmatch /databases/{database}/documents {\n\(body)\n}\n}"
        )
    }

    private static let accepted = [
        "match /c/{id} { allow read }", "match /c/{id=*} { allow get, list: if true }",
        "match /c /{id} { allow read; }",
        "match /c/{id} { allow read: if 4 / 2 == 2 && 4/ 2 == 2; }",
        "match /c/{id} { allow read: if [1, 2,].size() == 2; }",
        "match /c/{id} { allow read: if /a/$(1)/{x} == /a; }", "match /c/{id} { allow read: if !!true; }",
        "match /c/{id} { allow read: if -9223372036854775808 < 1. && .5 < 1; }",
        "match /c/{id} { allow read: if request.if; }",
        "function a$(b, c) { let d = b; return d; } match /c/{id} { allow read: if a$(1, 2,) == 1; }",
        "/* a comment */ match /c/{id} { // another\n allow read; }", "match /(c)/{id} { allow read; }",
        "match /c/{id} { allow read: if B'\\x00\\377' == b\"a\"; }",
    ]

    @Test(arguments: accepted) func `a body compiles`(_ body: String) {
        #expect(Self.issue(ofBody: body) == nil)
    }

    private static let atoms = """
        {'--', '++', '{', '[', '(', '-', '!', '/', 'false', 'null', 'true', PATH_SEGMENT, IDENTIFIER, NUM_INT, NUM_FLOAT, \
        UNPAIRED_DOUBLE_QUOTE, UNPAIRED_SINGLE_QUOTE, STRING, BYTES}
        """

    private static let refused = [
        ("match /c/{id} { }", "L4:17 The 'match' body must contain at least one declaration."),
        ("match /c/{id} { allow read if true; }", "L4:28 Missing ':' before 'if' condition."),
        ("match /c/{id} { allow read: true; }", "L4:29 Missing 'if' before conditional expression."),
        ("match / { allow read; }", "L4:7 Forward slash '/' found where identifier or binding expected."),
        ("match /c/{id} { allow read: if 'a; }", "L5:1 Missing a closing '"),
        (
            "match /c/{id} { allow read: if 9223372036854775808 > 1; }",
            "L4:32 Invalid number literal 9223372036854775808."
        ),
        ("match /c/{id} { allow read: if 1 +; }", "L4:35 mismatched input ';' expecting \(atoms)"),
        (
            "match /é/{id} { allow read; }",
            "L4:7 Forward slash '/' found where identifier or binding expected."
        ),
        ("/* é */ match /c/{id} { allow read: if 1 +; }", "L4:43 mismatched input ';' expecting \(atoms)"),
        (
            "match /c/{id} { allow read: if /a/ /b == 1; }",
            "L4:34 Forward slash '/' found where identifier or binding expected."
        ),
        ("match /c/{id}/d/{id} { allow read; }", "L4:18 Variable id already exists in the PathTemplate."),
        (
            "match /{a=**}/{b=**} { allow read; }",
            "L4:14 Invalid glob match expression. Only one glob match is permitted in a match declaration path."
        ),
        ("match /c/{id} { allow read: if math == 1; }", "L4:32 math is a package and cannot be used as variable name."),
        ("match /c/{id} { allow read: if 'a'.matches('('); }", "L4:44 Invalid regular expression pattern. Pattern: (."),
        ("function f() { return f(); } match /c/{id} { allow read: if f(); }", "L4:10 Recursive call is not allowed."),
        (
            "function f() { return g(); } function g() { return f(); } match /c/{id} { allow read: if f(); }",
            "L4:10 Detected a call cycle between [f,g] functions."
        ),
        (
            "function f() { return 1; } function f() { return 1; } match /c/{id} { allow read; }",
            "L4:37 Function f is already defined."
        ),
        ("function f(a, a) { return 1; } match /c/{id} { allow read; }", "L4:15 Variable a is already defined."),
    ]

    @Test(arguments: refused) func `a body is refused`(_ body: String, _ issue: String) {
        #expect(Self.issue(ofBody: body) == issue)
    }

    @Test func `a file begins with its version, and has services and functions`() {
        #expect(Self.issue(of: "") == "L0:0 Rules content empty. Compilation aborted.")
        let service = "service cloud.firestore { match /c/{id} { allow read; } }"
        #expect(Self.issue(of: "rules_version = '3'; \(service)") == "L1:1 Unsupported rules version 3.")
        #expect(Self.issue(of: "import 'x'; \(service)") == "L1:1 Import statements are not allowed.")
        let starts = "expecting {'function', 'import', 'service'"
        #expect(Self.issue(of: "rules_version = '2';") == "L1:21 mismatched input '<EOF>' \(starts)}")
        #expect(Self.issue(of: "match") == "L1:1 mismatched input 'match' \(starts), 'rules_version'}")
        #expect(Self.issue(of: "service cloud .firestore { }")?.hasSuffix("Unexpected '.'.") == true)
        let rules = "service cloud.firestore { match /databases/{d}/documents { match /c/{id} { allow read; } } }"
        let warnings = try? CompiledRules(rules, service: "cloud.firestore").warnings.map(\.description)
        #expect(
            warnings == [
                "L0:0 Ruleset uses old version (version [1]). Please update to the latest version (version [2])."
            ]
        )
    }

    @Test func `version 1 has no variables, and a glob only at the end`() throws {
        let variable = "function f() { let a = 1; return a; } match /c/{id} { allow read: if f() == 1; }"
        let glob = "match /{a=**}/c { allow read; }"
        for matches in [variable, glob] {
            #expect(throws: RulesError.self) { _ = try SampleRules(version: "1", matches) }
            #expect(throws: Never.self) { _ = try SampleRules(matches) }
        }
    }

    @Test func `limits are refused at one more`() {
        func functions(_ count: Int) -> String {
            (0..<count).map { "function f\($0)() { return \($0 + 1 < count ? "f\($0 + 1)()" : "true"); }\n" }.joined()
        }
        func matches(_ count: Int) -> String {
            (0..<count).map { "match /a\($0) { " }.joined() + "allow read; " + String(repeating: "}", count: count)
        }
        let parameters = { (count: Int) in (0..<count).map { "a\($0)" }.joined(separator: ", ") }
        let variables = { (count: Int) in (0..<count).map { "let v\($0) = 1; " }.joined() }
        let limits: [(max: Int, body: (Int) -> String)] = [
            (21, { functions($0) + "match /c/{id} { allow read: if f0(); }" }),
            (10, matches),
            (7, { "function f(\(parameters($0))) { return 1; } match /c/{id} { allow read; }" }),
            (11, { "function f() { \(variables($0))return 1; } match /c/{id} { allow read; }" }),
            (97, { "match " + (0..<$0).map { "/a\($0)" }.joined() + " { allow read; }" }),
            (19, { "match " + (0..<$0).map { "/{a\($0)}" }.joined() + " { allow read; }" }),
        ]
        for (max, body) in limits {
            #expect(Self.issue(ofBody: body(max)) == nil, "\(max)")
            #expect(Self.issue(ofBody: body(max + 1))?.contains("Maximum allowed") == true, "\(max + 1)")
        }
    }

    @Test func `an expression has 99 levels, with its parentheses`() {
        let levels: [(max: Int, body: (Int) -> String)] = [
            (99, { "true" + String(repeating: " && true", count: $0 - 1) }),
            (98, { String(repeating: "(", count: $0) + "true" + String(repeating: ")", count: $0) }),
            (98, { String(repeating: "!", count: $0) + "true" }),
        ]
        for (max, body) in levels {
            #expect(Self.issue(ofBody: "match /c/{id} { allow read: if \(body(max)); }") == nil)
            let issue = Self.issue(ofBody: "match /c/{id} { allow read: if \(body(max + 1)); }")
            #expect(issue?.contains("Expression is too complex") == true)
        }
    }

    @Test func `deep nesting is refused, and not a crash`() {
        let deep = 100_000
        let members = [".a", "[0]", "[0:1]", ".size()", " + 1", " is int"].map { part in
            "match /c/{id} { allow read: if request" + String(repeating: part, count: deep) + "; }"
        }
        let bodies =
            members + [
                "match /c/{id} { allow read: if " + String(repeating: "(", count: deep) + "1; }",
                "match /c/{id} { allow read: if " + String(repeating: "!", count: deep) + "true; }",
                "match /c/{id} { allow read: if true" + String(repeating: " && true", count: deep) + "; }",
                String(repeating: "match /a { ", count: deep),
            ]
        for body in bodies { #expect(Self.issue(ofBody: body)?.contains("too complex") == true) }
        // Comments that do not end are looked for once.
        #expect(Self.issue(ofBody: String(repeating: "/*", count: deep)) != nil)
    }
}
