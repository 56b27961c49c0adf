// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FieldPath {
    /// Parses `a.b`, with names that are not plain identifiers in backticks: `` a.`b c`.d ``.
    ///
    /// Within backticks a backslash makes the next character literal.
    ///
    /// - Throws: `FirestoreError` (invalid argument) in production's words.
    package init(parsing text: String) throws {
        guard !text.isEmpty else { throw FirestoreError.emptyFieldPath }
        var segments: [String] = []
        var rest = Substring(text)
        repeat {
            guard let segment = rest.first == "`" ? rest.takeQuotedName() : rest.takePlainName() else {
                throw rest.hasBrackets ? FirestoreError.bracketedFieldPath : .invalidFieldPath(text)
            }
            segments.append(segment)
        } while try rest.takeDot(of: text)
        let path = FieldPath(validated: segments)
        guard path.byteCount <= Self.byteCountMax else { throw FirestoreError.fieldPathTooLong }
        self = path
    }
}

extension FieldPath: CustomStringConvertible {
    /// The text that parses to this path, quoted where it has to be.
    package var description: String {
        segments.map { $0.isPlainFieldName ? $0 : $0.quotedFieldName }.joined(separator: ".")
    }
}

extension Substring {
    /// Takes up to the next dot; `nil` when that is not an identifier.
    fileprivate mutating func takePlainName() -> String? {
        let name = String(prefix { $0 != "." })
        guard name.isPlainFieldName else { return nil }
        removeFirst(name.count)
        return name
    }

    /// Whether an identifier and an opening bracket come next, as in `a[0]`.
    fileprivate var hasBrackets: Bool {
        firstIndex(of: "[").map { String(self[..<$0]).isPlainFieldName } ?? false
    }

    /// Takes a name in backticks; `nil` when it is empty or never closed.
    fileprivate mutating func takeQuotedName() -> String? {
        var name = String.UnicodeScalarView()
        var scalars = unicodeScalars.dropFirst()
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "`":
                self = Substring(scalars)
                return name.isEmpty ? nil : String(name)
            case "\\":
                guard let escaped = scalars.popFirst() else { return nil }
                name.append(escaped)
            default:
                name.append(scalar)
            }
        }
        return nil
    }

    /// Takes the dot before another segment; false at the end of the text.
    fileprivate mutating func takeDot(of text: String) throws -> Bool {
        guard let separator = unicodeScalars.popFirst() else { return false }
        guard separator == "." else { throw FirestoreError.invalidFieldPath(text) }
        return true
    }
}

extension String {
    /// Whether this is `[a-zA-Z_][a-zA-Z_0-9]*`.
    fileprivate var isPlainFieldName: Bool {
        guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    fileprivate var quotedFieldName: String {
        var quoted = String.UnicodeScalarView("`".unicodeScalars)
        for scalar in unicodeScalars {
            if scalar == "`" || scalar == "\\" {
                quoted.append("\\")
            }
            quoted.append(scalar)
        }
        quoted.append("`")
        return String(quoted)
    }
}
