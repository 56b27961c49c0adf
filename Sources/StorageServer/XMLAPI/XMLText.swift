// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import HummingbirdCore
import Wire

/// An XML element to be written.
struct XMLText: Sendable {
    private enum Content {
        case text(String)
        case elements([XMLText])
    }

    private let name: String
    private let attributes: [(name: String, value: String)]
    private let content: Content

    /// An element that holds text.
    static func element(_ name: String, _ text: String) -> XMLText {
        XMLText(name: name, attributes: [], content: .text(text))
    }

    /// An element that holds elements; those that are `nil` are left out.
    static func element(
        _ name: String,
        _ elements: [XMLText?],
        attributes: [(name: String, value: String)] = []
    ) -> XMLText {
        XMLText(name: name, attributes: attributes, content: .elements(elements.compactMap { $0 }))
    }

    /// The element as a document of its own.
    var document: String {
        var text = "<?xml version='1.0' encoding='UTF-8'?>"
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        text += "<\(name)"
        for attribute in attributes { text += " \(attribute.name)='\(XMLEscaping.escape(attribute.value))'" }
        text += ">"
        switch content {
        case .text(let value): text += XMLEscaping.escape(value)
        case .elements(let elements): for element in elements { element.write(to: &text) }
        }
        text += "</\(name)>"
    }
}

extension Response {
    /// An answer of XML.
    static func xml(_ element: XMLText, status: Int = 200) -> Response {
        .text(element.document, contentType: "application/xml; charset=UTF-8", status: status)
    }
}

/// Text inside XML.
enum XMLEscaping {
    /// Replaces what XML would take for its own.
    ///
    /// Characters that XML 1.0 cannot hold, not even escaped, become references all the same, as in Amazon's and
    /// Google's answers: a client that has such names asks for `encoding-type=url`.
    static func escape(_ text: String) -> String {
        Markup.escape(text) { scalar in
            switch scalar {
            // A reader makes one line feed of "\r\n" and a space of what is in an attribute, unless it is escaped.
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}":
                "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            default: nil
            }
        }
    }
}
