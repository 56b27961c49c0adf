// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FirestoreServer

struct LooseJSONTests {
    @Test(
        arguments: [
            (#" {"a" : [1, -2.5e3, true, null,], } "#, #"{"a":[1,-2.5e3,true,null]}"#),
            (#"{a: 'b', $c_1: "d"}"#, #"{"a":"b","$c_1":"d"}"#), ("[]", "[]"), ("null", "null"),
            (#""\u00e9\ud83d\ude00\n\/""#, "\"é😀\\n/\""),
        ]
    )
    func `reads what Google's services read`(text: String, strict: String) throws {
        #expect(try LooseJSONParser.parse(Array(text.utf8)).text == strict)
    }

    @Test(
        arguments: [
            ("not json", "Unexpected token.\nnot json\n^"), ("", "Unexpected end of string. Expected a value.\n\n^"),
            (#"{"a":"#, "Unexpected end of string. Expected a value.\n\n^"),
            (#"{"a""#, "Unexpected end of string. Expected : between key:value pair.\n\n^"),
            (#"{"a":1"#, "Unexpected end of string. Expected , or } after key:value pair.\n\n^"),
            ("[1", "Unexpected end of string. Expected , or ] after array value.\n\n^"),
            (#""ab"#, "Closing quote expected in string.\n\n^"),
            (#"{"a" 1}"#, "Expected : between key:value pair.\n{\"a\" 1}\n     ^"),
            ("[1 2]", "Expected , or ] after array value.\n[1 2]\n   ^"),
            ("{,}", "Expected an object key or }.\n{,}\n ^"),
            ("01", "Octal/hex numbers are not valid JSON values.\n01\n^"),
            ("1 2", "Parsing terminated before end of input.\n1 2\n  ^"),
            (#""\ud800""#, "Invalid unicode code point.\n\"\\ud800\"\n       ^"),
            (
                "{\"aaaaaaaaaaaaaaaaaaaaaaaaa\":x,\"bbbbbbbbbbbbbbbbbbbbbb\":1}",
                "Unexpected token.\naaaaaaaaaaaaaaaaaa\":x,\"bbbbbbbbbbbbbbbbb\n                    ^"
            ),
        ]
    )
    func `refuses the rest in their words`(text: String, reason: String) {
        #expect(throws: CallError.jsonInvalid(reason)) { try LooseJSONParser.parse(Array(text.utf8)) }
    }

    @Test func `refuses bytes that are no text`() {
        #expect(throws: CallError.jsonInvalid("Encountered non UTF-8 code points.")) {
            try LooseJSONParser.parse([0x22, 0xFF, 0x22])
        }
    }
}
