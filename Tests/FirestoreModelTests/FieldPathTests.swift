// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import FirestoreModel

struct FieldPathTests {
    @Test(
        "parses",
        arguments: [
            ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("_a9.B_", ["_a9", "B_"]), ("`a.b`.c", ["a.b", "c"]),
            ("`a\\`b`", ["a`b"]), ("`a\\\\b`", ["a\\b"]), ("a.`é ü`", ["a", "é ü"]), ("__name__", ["__name__"]),
        ]
    )
    func parses(text: String, segments: [String]) throws {
        let path = try FieldPath(parsing: text)
        #expect(path.segments == segments)
        #expect(try FieldPath(parsing: path.description) == path)
    }

    @Test(
        "refuses",
        arguments: ["a..b", ".a", "a.", "a-b", "1a", "`a", "``", "`a`b", "a b", "é", "a`b`", "`a\\"]
    )
    func refuses(text: String) {
        let expected = """
            INVALID_ARGUMENT: Invalid property path "\(text)". Unquoted property paths must match regex \
            ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)
            """
        #expect(refusal { _ = try FieldPath(parsing: text) } == expected)
    }

    @Test func `refuses an empty path and names that are too long`() {
        #expect(refusal { _ = try field("") } == "INVALID_ARGUMENT: Invalid empty property path string.")
        let long = String(repeating: "a", count: 1_501)
        #expect(refusal { _ = try field(long) } == "INVALID_ARGUMENT: property path is longer than 1500 bytes.")
    }

    @Test func `quotes what is no identifier`() throws {
        #expect(try FieldPath(["a", "b c", "d`e\\f"]).description == "a.`b c`.`d\\`e\\\\f`")
    }

    @Test func `tells spellings apart that Swift equates`() throws {
        #expect(try FieldPath(["\u{E9}"]) != FieldPath(["e\u{301}"]))
        #expect(try DocumentPath(["c", "\u{E9}"]) != DocumentPath(["c", "e\u{301}"]))
    }
}
