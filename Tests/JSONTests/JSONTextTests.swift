// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

struct JSONTextTests {
    @Test(
        arguments: [
            ("", #""""#), ("a/é", #""a/é""#), ("\"\\", #""\"\\""#),
            ("\n\u{1}\u{1f}\u{7f}", "\"\\n\\u0001\\u001f\u{7f}\""),
        ]
    )
    func `quotes a string`(text: String, quoted: String) {
        #expect(JSONText.quoted(text) == quoted)
    }

    @Test func `escapes every control character, and nothing else that JSON lets stand`() {
        let short = ["\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#]
        for code in UInt8(0)...0x7f where code != UInt8(ascii: "\"") && code != UInt8(ascii: "\\") {
            let text = String(UnicodeScalar(code))
            let digits = String(0x100 + Int(code), radix: 16).dropFirst()
            let expected = short[text] ?? (code < 0x20 ? #"\u00\#(digits)"# : text)
            #expect(JSONText.quoted("é\(text)") == "\"é\(expected)\"")
        }
    }

    private static let sample: JSONText = .object([
        ("b", 1), ("a", .array(["x", true])), ("empty", .array([])), ("none", .object([])),
    ])

    @Test func `keeps the order of its keys`() {
        #expect(Self.sample.rendered(isIndented: false) == #"{"b":1,"a":["x",true],"empty":[],"none":{}}"#)
    }

    @Test func `indents by two spaces as Google's services do`() {
        let lines = [
            "{", #"  "b": 1,"#, #"  "a": ["#, #"    "x","#, "    true", "  ],", #"  "empty": [],"#, #"  "none": {}"#,
            "}",
        ]
        #expect(Self.sample.rendered() == lines.joined(separator: "\n"))
    }

    @Test func `leaves out what is absent`() {
        #expect(JSONText.object(compacting: [("a", nil), ("b", "c")]).rendered(isIndented: false) == #"{"b":"c"}"#)
    }
}
