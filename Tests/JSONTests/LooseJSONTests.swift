// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

struct LooseJSONTests {
    @Test(
        arguments: [
            (#" {"a" : [1, -2.5e3, true, null,], } "#, #"{"a":[1,-2.5e3,true,null]}"#),
            (#"{a: 'b', $c_1: "d"}"#, #"{"$c_1":"d","a":"b"}"#), ("[]", "[]"), ("null", "null"),
            (#""\u00e9\ud83d\ude00\n\/""#, "\"é😀\\n/\""),
        ]
    )
    func `reads what Google's services read`(text: String, strict: String) throws {
        #expect(try JSONValue(LooseJSONParser.parse(Array(text.utf8))).encoded == Array(strict.utf8))
    }

    @Test(
        arguments: [
            ("not json", "Unexpected token.\nnot json\n^"), ("", "Unexpected end of string. Expected a value.\n\n^"),
            (#"{"a":"#, "Unexpected end of string. Expected a value.\n\n^"),
            (#"{"a""#, "Unexpected end of string. Expected : between key:value pair.\n\n^"),
            (#"{"a":1"#, "Unexpected end of string. Expected , or } after key:value pair.\n1\n ^"),
            (#"{"a":true"#, "Unexpected end of string. Expected , or } after key:value pair.\n\n^"),
            ("[1", "Unexpected end of string. Expected , or ] after array value.\n1\n ^"),
            ("{", "Unexpected end of string. Expected an object key or }.\n\n^"),
            ("{abc", "Unexpected end of string. Expected : between key:value pair.\nabc\n   ^"),
            ("{not json", "Expected : between key:value pair.\n{not json\n     ^"),
            ("{in-json", "Expected : between key:value pair.\n{in-json\n   ^"),
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
        #expect(throws: LooseJSONError(message: reason)) { try LooseJSONParser.parse(Array(text.utf8)) }
    }

    @Test func `reads names that extend to the next mark where a service does`() throws {
        let tree = try LooseJSONParser.parse(Array("{a-b!:1}".utf8), namesAreFree: true)
        #expect(JSONValue(tree) == .object(["a-b!": .integer(1)]))
        // Cloud Storage's words (recorded 2026-09: gcs--simple-multipart-upload.json).
        let refusal = "Unexpected end of string. Expected : between key:value pair.\ninvalid-json\n            ^"
        #expect(throws: LooseJSONError(message: refusal)) {
            try LooseJSONParser.parse(Array("{invalid-json".utf8), namesAreFree: true)
        }
    }

    @Test func `refuses bytes that are no text`() {
        #expect(throws: LooseJSONError(message: "Encountered non UTF-8 code points.")) {
            try LooseJSONParser.parse([0x22, 0xFF, 0x22])
        }
    }
}
