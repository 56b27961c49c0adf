// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@testable import SuiteFiles

@Suite struct ListReaderTests {
    let directory = TemporaryDirectory()

    private func elements(of text: some Sequence<UInt8>) throws -> [JSONValue] {
        try directory.write(text, to: "list.json")
        var reader = try ListReader(directory.file("list.json"))
        var elements: [JSONValue] = []
        _ = try reader.forEach(in: "users") { element, number in
            elements.append(element)
            #expect(number == elements.count)
        }
        return elements
    }

    private static let text = #"""
        { "kind" : "x\"]}" , "more":[{"a":[1,{}]}],"n":-1.5e3,"t":true
          ,"users":[ {"a":"\\"},{"b":"]}\"[{"} , 5,"é,😀", null ,[[],[]] ] ,"z":{"users":[9]}}
        """#

    @Test func `finds the elements, whatever is around and in them`() throws {
        let expected: [JSONValue] = [
            .object(["a": .string("\\")]), .object(["b": .string("]}\"[{")]), .integer(5), .string("é,😀"), .null,
            .array([.array([]), .array([])]),
        ]
        #expect(try elements(of: Self.text.utf8) == expected)
    }

    @Test func `refuses a text that is cut off anywhere`() throws {
        let bytes = Array(Self.text.utf8)
        for count in bytes.indices {
            #expect(throws: ExportError.self) { try elements(of: bytes.prefix(count)) }
        }
    }

    @Test func `takes or refuses a text in which any byte is another`() throws {
        let bytes = Array(Self.text.utf8)
        for position in bytes.indices {
            for byte in #""{}[],:\0 "#.utf8 {
                var changed = bytes
                changed[position] = byte
                do { _ = try elements(of: changed) } catch is ExportError {}
            }
        }
    }

    @Test func `reads elements across the pieces of a file`() throws {
        let names = (0..<5_000).map { String(repeating: "é", count: $0 % 97) + String($0) }
        let list = names.map { #"{"n":"\#($0)"}"# }.joined(separator: ",\n")
        #expect(try elements(of: #"{"users":[\#(list)]}"#.utf8).map { $0["n"]?.string } == names)
    }
}
