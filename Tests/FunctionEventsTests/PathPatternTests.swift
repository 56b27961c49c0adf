// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Testing

@testable import FunctionEvents

@Suite struct `Patterns of documents` {
    @Test(arguments: [
        ("users/{user}", "users/ann", true),
        ("users/{user}", "users/ann/notes/1", false),
        ("users/{user}", "rooms/ann", false),
        ("/users/{user}/", "users/ann", true),
        ("users/{user=*}", "users/ann", true),
        ("users/*", "users/ann", true),
        ("users/{rest=**}", "users/ann", true),
        ("users/{rest=**}", "users/ann/notes/1", true),
        ("users/{rest=**}", "rooms/1", false),
        ("{rest=**}", "rooms/1/seats/2", true),
        ("users/{user}/{rest=**}", "users/ann", true),
        ("users/{user}/{rest=**}", "users/ann/notes/1", true),
        ("{before=**}/notes/{note}", "users/ann/notes/1", true),
        ("{before=**}/notes/{note}", "notes/1", true),
        ("{before=**}/notes/{note}", "users/ann", false),
        ("**/notes/*", "users/ann/notes/1", true),
        ("users/ann", "users/ann", true),
        ("users/ann", "users/Ann", false),
        ("logs/day-*", "logs/day-1", true),
        ("logs/day-*", "logs/night-1", false),
        ("logs/a*b*c", "logs/abc", true),
        ("logs/a*b*c", "logs/a-b-b-c", true),
        ("logs/a*b*c", "logs/ac", false),
        ("logs/ab*ba", "logs/aba", false),
        ("users/\u{E9}", "users/e\u{301}", false),
    ])
    func `a pattern matches documents`(pattern: String, path: String, isMatching: Bool) throws {
        #expect(try PathPattern(pattern).matches(DocumentPath(parsing: path)) == isMatching)
    }

    @Test(arguments: [
        "", "/", "users", "users/{user}/notes", "users//ann", "users/{", "users/{}", "users/{=**}", "users/{user=x}",
        "users/a{b}", "users/{a}{b}", "users/x**", "{a=**}/x/{b=**}", "users/{user}/{a=*}",
        "users/" + String(repeating: "a", count: 7_000),
    ])
    func `a pattern that makes no sense is refused`(pattern: String) {
        #expect(throws: TriggerFailure.self) { try PathPattern(pattern) }
    }

    @Test func `braces of an exact path mean themselves`() throws {
        let pattern = try PathPattern(exactly: "users/{user}")
        #expect(try pattern.matches(DocumentPath(parsing: "users/{user}")))
        #expect(try !pattern.matches(DocumentPath(parsing: "users/ann")))
    }
}
