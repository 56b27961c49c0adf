// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import SuiteFiles

@Suite struct `JSON with comments` {
    @Test(
        arguments: [
            ("{}", "{}"),
            ("{} // end", "{}       "),
            ("{// a\n}", "{    \n}"),
            ("{/* a */}", "{       }"),
            ("{/* a\nb */}", "{    \n    }"),
            ("{/*/ a */}", "{        }"),
            ("{/* // */}", "{        }"),
            ("[1,/**/2]", "[1,    2]"),
            (#"["//", "/* */"]"#, #"["//", "/* */"]"#),
            (#"["\"//"]"#, #"["\"//"]"#),
            (#"["\\"] // a"#, #"["\\"]     "#),
            ("{/* never closed }", "{                 "),
            ("/", "/"),
            ("\u{FEFF}{}", "   {}"),
        ]
    )
    func `spaces stand for comments, so that lines and columns stay`(text: String, plain: String) {
        #expect(String(decoding: CommentedJSON.blankingComments(in: Array(text.utf8)), as: UTF8.self) == plain)
    }

    @Test func `comments need not be UTF-8`() throws {
        let text = Array("{} // caf".utf8) + [0xE9]
        #expect(try CommentedJSON.read(text).value == .object([:]))
    }

    @Test(
        arguments: [
            ("", "line 1, column 1: expected a value, found the end"),
            ("// only a comment", "line 1, column 18: expected a value, found the end"),
            ("{\n  \"a\": 1,\n}", "line 3, column 1: expected a key"),
            ("{\n  \"a\" 1\n}", "line 2, column 7: expected ':'"),
            ("{\"ä\" 1}", "line 1, column 6: expected ':'"),
            ("{'a': 1}", "line 1, column 2: expected a key"),
            ("{\"a\": 1} /* c */ {}", "line 1, column 18: expected the end"),
            (String(repeating: "[", count: 100_000), "line 1, column 65: more than 64 levels of nesting"),
        ]
    )
    func `an error names its line and column`(text: String, message: String) {
        #expect(throws: SuiteConfigurationError(code: .badFile, description: message)) {
            try CommentedJSON.read(Array(text.utf8))
        }
    }

    @Test func `the last value of a key counts, and the place is known`() throws {
        let reading = try CommentedJSON.read(Array("{\"a\": 1,\n\"a\": 2, \"b\": {}}".utf8))
        #expect(reading.value == .object(["a": .integer(2), "b": .object([:])]))
        #expect(reading.repeatedKey == "line 2, column 4")
    }
}
