// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct XMLReaderTests {
    typealias Failure = XMLReader.Failure

    static func read(_ text: String) throws -> XMLElement { try XMLReader.read(Array(text.utf8)) }

    /// The element as text again, without what is of no account.
    static func text(_ element: XMLElement) -> String {
        "\(element.name)(\(element.text)\(element.elements.map(text).joined()))"
    }

    @Test(
        "reads",
        arguments: [
            ("<a/>", "a()"), ("<a></a>", "a()"), ("<a>x</a>", "a(x)"), ("<a><b>1</b><c/></a>", "a(b(1)c())"),
            ("<?xml version='1.0' encoding='UTF-8'?>\n<a>x</a>\n", "a(x)"), ("\u{FEFF}<a/>", "a()"),
            ("<!-- x --><a><!-- <b> -->y<!----></a><!-- z -->", "a(y)"), ("<a >x</a >", "a(x)"), ("<a />", "a()"),
            ("<s:a xmlns:s=\"http://x/y\" b='\"' c = \"&lt;'\"><s:b>1</s:b></s:a>", "a(b(1))"),
            ("<a>&lt;&gt;&amp;&quot;&apos;</a>", "a(<>&\"')"), ("<a>&#65;&#x42;&#x1F525;</a>", "a(AB🔥)"),
            ("<a><![CDATA[<b>&amp;]]>c</a>", "a(<b>&amp;c)"), ("<a>é\n&#10;</a>", "a(é\n\n)"), ("<é/>", "é()"),
            ("<a-1._x/>", "a-1._x()"), ("<a>1<b/>2</a>", "a(12b())"), ("<a>]]</a>", "a(]])"),
        ]
    )
    func reads(document: String, expected: String) throws {
        #expect(try Self.text(Self.read(document)) == expected)
    }

    @Test(
        "refuses what is not well-formed",
        arguments: [
            "", " ", "x", "<", "<a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a b/>", "<a b=c/>",
            "<a b='c/>", "<a b='<'/>", "<a b='1'c='2'/>", "<1/>", "<-a/>", "<a:b:c/>", "<:a/>x", "<a>&b;</a>",
            "<a>&</a>", "<a>&lt</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>",
            "<a>&#-1;</a>", "<a>&#+65;</a>", "<a>&#99999999999;</a>", "<a b='&b;'/>", "<a><!-- </a>", "<?xml ",
            "<a><![CDATA[x</a>", "< a/>", "<a/ >", "<a></ a>",
        ]
    )
    func refuses(document: String) {
        #expect {
            try Self.read(document)
        } throws: { error in
            if case .malformed? = error as? Failure { true } else { false }
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<?php x?><a/>", "<a><?x?></a>",
        "<a/><?x?>", "<![CDATA[x]]><a/>", " <?xml version='1.0'?><a/>",
    ])
    func `refuses declarations and instructions`(document: String) {
        #expect {
            try Self.read(document)
        } throws: { error in
            if case .unsupported? = error as? Failure { true } else { false }
        }
    }

    @Test func `keeps its limits`() throws {
        let deep = { (count: Int) in
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(try Self.read(deep(XMLReader.depthMax)).name == "a")
        #expect(throws: Failure.tooDeep) { try Self.read(deep(XMLReader.depthMax + 1)) }
        #expect(throws: Failure.tooDeep) { try Self.read(String(repeating: "<a>", count: 1_000_000)) }
        let wide = { (count: Int) in "<a>\(String(repeating: "<b/>", count: count))</a>" }
        #expect(try Self.read(wide(XMLReader.elementCountMax - 1)).elements.count == XMLReader.elementCountMax - 1)
        #expect(throws: Failure.tooLarge) { try Self.read(wide(XMLReader.elementCountMax)) }
        #expect(throws: Failure.tooLarge) { try Self.read(String(repeating: " ", count: XMLReader.byteCountMax + 1)) }
        #expect(throws: Failure.malformed(offset: 0)) { try XMLReader.read([0x3C, 0x61, 0xFF, 0x2F, 0x3E]) }
    }

    @Test(
        "reads back what the writer wrote",
        arguments: ["", "plain", "<&>\"'", "a\tb", "é🔥\u{0301}", "]]>", "&amp;", " spaces "]
    )
    func readsBack(text: String) throws {
        let element = XMLText.element("a", [.element("b", text)], attributes: [(name: "c", value: text)])
        #expect(try Self.read(element.document)["b"]?.text == text)
    }

    @Test func `writes what XML cannot hold as a reference`() {
        let document = XMLText.element("a", "\u{0}\u{1}\r\n\u{7F}\u{FFFF}").document
        #expect(document == "<?xml version='1.0' encoding='UTF-8'?><a>&#x0;&#x1;&#xD;&#xA;&#x7F;&#xFFFF;</a>")
    }
}
