// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

struct JSONValueTests {
    @Test(
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "9223372036854775808", "-0", "1.50", "1E400",
            #""""#, #""é😀""#, #""\"\\\n\r\t\u0001\u001f""#, "[]", "[1,[2,{}]]", #"{"a":1,"b":{"c":null}}"#,
        ]
    )
    func `writes what it read`(text: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(String(decoding: value.encoded, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (#" {"b" : 1 , "a" : [ ] } "#, #"{"a":[],"b":1}"#), (#""\u0041\/\ud83d\ude00""#, #""A/😀""#),
            (#""\b\f""#, #""\u0008\u000c""#), ("[ 1 ]", "[1]"),
        ]
    )
    func `writes one form of equal values`(text: String, expected: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(String(decoding: value.encoded, as: UTF8.self) == expected)
    }

    @Test func `the last value of a repeated key counts where that is allowed`() throws {
        let text = Array(#"{"a":1,"b":{"c":2,"c":3},"a":4}"#.utf8)
        let value = try JSONValue(parsing: text, allowsRepeatedKeys: true)
        #expect(String(decoding: value.encoded, as: UTF8.self) == #"{"a":4,"b":{"c":3}}"#)
    }

    @Test(
        arguments: [
            ("", "column 1: expected a value, found the end"), ("{", "column 2: expected a key"),
            (#"{"a"}"#, "column 5: expected ':'"), (#"{"a":1,}"#, "column 8: expected a key"),
            (#"{"a":1,"a":2}"#, "column 11: a key occurs twice"), ("[1 2]", "column 4: expected ',' or ']'"),
            (#"{"a":1 "b":2}"#, "column 8: expected ',' or '}'"), ("01", "column 2: expected the end"),
            ("+1", "column 1: expected a value"), ("1.", "column 3: expected a digit"),
            ("1e", "column 3: expected a digit"), ("-", "column 2: expected a digit"),
            ("nul", "column 4: expected null"), ("[trie]", "column 4: expected true"),
            (#""a"#, "column 3: a string does not end"),
            ("\"\t\"", "column 2: a control character in a string"), (#""\x""#, "column 4: an unknown escape"),
            (#""\u12g4""#, "column 6: expected four hexadecimal digits"),
            (#""\ud800""#, "column 8: half a surrogate pair"), (#""\udc00""#, "column 8: half a surrogate pair"),
            (#""\ud800\u0041""#, "column 14: half a surrogate pair"), ("1 1", "column 3: expected the end"),
            (String(repeating: "[", count: 65), "column 65: more than 64 levels of nesting"),
        ]
    )
    func `says where text is no JSON`(text: String, expected: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        do {
            _ = try JSONValue(parsing: Array(text.utf8))
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test func `refuses bytes that are not UTF-8`() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }
}
