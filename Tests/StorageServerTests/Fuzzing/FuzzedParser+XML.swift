// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

@testable import StorageServer

extension FuzzedParser {
    /// A document that was read can be written, and is then read as the same.
    static func checkXML(_ bytes: [UInt8]) throws {
        guard let element = try? XMLReader.read(bytes) else { return }
        _ = try? XMLDeletion(element)
        if let parts = try? PartCompletion.parts(element) {
            let isRising = zip(parts, parts.dropFirst()).allSatisfy { $0.number < $1.number }
            try promise("parts rise", !parts.isEmpty && isRising)
        }
        let plain = element.withoutMixedText
        try promise("documents come back", try XMLReader.read(Array(plain.written.document.utf8)) == plain)
    }
}

extension XMLElement {
    /// The element without text between the elements inside, which no document of ours has.
    fileprivate var withoutMixedText: XMLElement {
        XMLElement(name: name, text: elements.isEmpty ? text : "", elements: elements.map(\.withoutMixedText))
    }

    fileprivate var written: XMLText {
        elements.isEmpty ? .element(name, text) : .element(name, elements.map(\.written))
    }
}
