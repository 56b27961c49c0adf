// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

/// Reads the parts of a profile; what is wrong with one names its line.
struct ProfileReader {
    private let json: LocatedJSON
    private let value: JSONValue
    private let path: [String]

    init(_ json: LocatedJSON) {
        self.init(json, value: json.value, path: [])
    }

    private init(_ json: LocatedJSON, value: JSONValue, path: [String]) {
        self.json = json
        self.value = value
        self.path = path
    }

    subscript(key: String) -> JSONValue? { value[key] }

    func error(_ key: String, message: String, element: Int? = nil) -> ProfileError {
        let line = json.line(of: path + [key] + (element.map { [String($0)] } ?? []))
        return ProfileError(line: line, message: "'\(key)': \(message)")
    }

    /// Refuses values that are not objects, and keys that mean nothing.
    func only(_ keys: Set<String>) throws(ProfileError) {
        guard case .object(let fields) = value else {
            throw ProfileError(line: json.line(of: path), message: "expected an object")
        }
        guard let unknown = fields.keys.filter({ !keys.contains($0) }).min() else { return }
        throw error(unknown, message: "means nothing here; expected one of \(keys.sorted().joined(separator: ", "))")
    }

    func string(_ key: String) throws(ProfileError) -> String {
        guard let text = value[key]?.string else {
            throw error(key, message: value[key] == nil ? "is missing" : "expected a string")
        }
        return text
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws(ProfileError) -> Choice {
        guard let choice = Choice(rawValue: try string(key)) else {
            throw error(key, message: "expected one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func day(_ key: String) throws(ProfileError) -> String {
        let text = try string(key)
        guard text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else {
            throw error(key, message: "expected a day, YYYY-MM-DD")
        }
        return text
    }

    func amount(_ key: String, isBytes: Bool) throws(ProfileError) -> Int64 {
        guard let amount = Amount.parse(try string(key), isBytes: isBytes) else {
            throw error(
                key,
                message: isBytes ? "expected bytes with their unit, such as 1 GiB" : "expected a count, such as 10000"
            )
        }
        return amount
    }

    /// A number that is not negative, and no more than money is, to the last digit.
    func decimal(_ key: String) throws(ProfileError) -> Decimal {
        let digits: String? =
            switch value[key] {
            case .integer(let number): String(number)
            case .number(let digits): digits
            default: nil
            }
        guard let decimal = digits.flatMap({ Decimal(string: $0) }), (0...1_000_000_000).contains(decimal) else {
            throw error(key, message: "expected a number from 0 to a billion")
        }
        return decimal
    }

    /// Reads an object; `nil` where there is none.
    func nested<Part>(
        _ key: String,
        _ read: (ProfileReader) throws(ProfileError) -> Part
    ) throws(ProfileError) -> Part? {
        guard let part = value[key], part != .null else { return nil }
        return try read(ProfileReader(json, value: part, path: path + [key]))
    }

    /// Reads the elements of an array.
    func elements<Part>(
        _ key: String,
        _ read: (ProfileReader) throws(ProfileError) -> Part
    ) throws(ProfileError) -> [Part] {
        guard let elements = value[key]?.array else { throw error(key, message: "expected an array") }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            parts.append(try read(ProfileReader(json, value: element, path: path + [key, String(index)])))
        }
        return parts
    }
}
