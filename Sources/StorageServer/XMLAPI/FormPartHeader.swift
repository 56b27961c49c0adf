// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The header of a part of a form (RFC 7578 section 4).
struct FormPartHeader: Equatable {
    /// The name of the field.
    let name: String
    /// The name of the file on the client's disk, if the part is a file; without the folders before it.
    var fileName: String?
    /// The media type of the part.
    var contentType: String?

    /// Reads the lines; `nil` when none says what the field's name is.
    init?(_ lines: ArraySlice<UInt8>) {
        guard let text = String(validating: lines, as: UTF8.self) else { return nil }
        var name: String?
        // By code units: "\r\n" is a single Character.
        for line in text.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }).compactMap(Substring.init) {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let value = sides[1].drop { $0 == " " || $0 == "\t" }
            switch sides[0].lowercased() {
            case "content-disposition":
                guard let parameters = Self.parameters(value), parameters.kind == "form-data" else { return nil }
                name = parameters.values["name"]
                fileName = parameters.values["filename"].map(Self.baseName)
            case "content-type": contentType = Self.trimmed(value)
            default: continue
            }
        }
        guard let name else { return nil }
        self.name = name
    }

    private static func baseName(_ path: String) -> String {
        String(path[(path.lastIndex { $0 == "/" || $0 == "\\" }.map(path.index(after:)) ?? path.startIndex)...])
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    /// Takes `form-data; name="a"; filename="b"` apart; `nil` when a quotation does not end.
    private static func parameters(_ text: Substring) -> (kind: String, values: [String: String])? {
        let end = text.firstIndex(of: ";") ?? text.endIndex
        let kind = trimmed(text[..<end]).lowercased()
        var (rest, values) = (text[end...], [String: String]())
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { break }
            let name = trimmed(rest[..<equals]).lowercased()
            rest = rest[rest.index(after: equals)...]
            guard let value = value(&rest) else { return nil }
            values[name] = value
            rest = rest.drop { $0 != ";" }
        }
        return (kind, values)
    }

    /// Takes a value, in quotes or bare.
    private static func value(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" }
            rest = rest[value.endIndex...]
            return trimmed(value)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            // Only a quotation mark is escaped: browsers send the folders of some systems with single backslashes.
            case "\\" where rest.first == "\"": value.append(rest.removeFirst())
            default: value.append(character)
            }
        }
        return nil
    }
}
