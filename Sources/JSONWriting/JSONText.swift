// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// JSON to be written: like Google's services, it keeps the order of its keys and indents by two spaces.
package enum JSONText: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case array([JSONText])
    case object([(String, JSONText)])
    /// JSON that was written elsewhere.
    case verbatim(String)

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates an object, leaving out the keys whose value is `nil`.
    package static func object(compacting members: [(String, JSONText?)]) -> JSONText {
        .object(members.compactMap { member in member.1.map { (member.0, $0) } })
    }

    /// Renders the JSON, broken into lines and indented by two spaces unless `isIndented` is false.
    package func rendered(isIndented: Bool = true) -> String {
        var writer = JSONWriter()
        writer.write(self, indentation: isIndented ? 0 : nil)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns a string in quotes, with only the characters that JSON requires escaped (RFC 8259 section 7).
    package static func quoted(_ string: String) -> String {
        var writer = JSONWriter()
        writer.write(string)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
