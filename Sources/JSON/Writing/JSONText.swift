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

    /// `null`.
    package static let null = Self.verbatim("null")

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
        var bytes: [UInt8] = []
        bytes.appendJSON(string)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONText {
    /// Keeps what a client wants.
    ///
    /// Of a list, each element is kept with what is wanted of it; a member that is wanted for members of its own, but has
    /// none, is left out.
    package func selecting(_ selector: FieldSelector) -> JSONText {
        selected(by: selector) ?? self
    }

    private func selected(by selector: FieldSelector) -> JSONText? {
        guard !selector.isEverything else { return self }
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { name, value in
                    selector.member(name).flatMap(value.selected).map { (name, $0) }
                }
            )
        case .array(let elements): return .array(elements.compactMap { $0.selected(by: selector) })
        case .verbatim: return self
        case .string, .integer, .number, .boolean: return nil
        }
    }
}
