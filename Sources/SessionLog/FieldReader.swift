// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The problem of a field, without its value.
struct FieldProblem: Error {
    let message: String
}

/// Takes the known fields out of a JSON object; what is left over are the unknown ones.
struct FieldReader {
    /// Amounts of one line, so small that sums of a billion lines do not overflow; what is taken back is negative.
    static let amountRange: ClosedRange<Int64> = -SessionImage.byteCountMax...SessionImage.byteCountMax
    /// Sums of a log.
    static let sumRange: ClosedRange<Int64> = -(1 << 53)...1 << 53
    /// Times in microseconds since 1970, to the year 9999.
    static let timeRange: ClosedRange<Int64> = 0...253_402_300_799_999_999
    /// Page and image numbers and the like.
    static let countRange = 0...Int(Int32.max)

    private(set) var fields: [String: JSONValue]
    private let prefix: String

    init(_ fields: [String: JSONValue], prefix: String = "") {
        self.fields = fields
        self.prefix = prefix
    }

    mutating func string(_ key: String) throws(FieldProblem) -> String {
        guard let text = try optionalString(key) else { throw problem(key, message: "is missing; expected a string") }
        return text
    }

    /// `nil` for an absent key and for null.
    mutating func optionalString(_ key: String) throws(FieldProblem) -> String? {
        guard let value = take(key) else { return nil }
        guard let text = value.string else { throw problem(key, message: "expected a string") }
        return text
    }

    mutating func integer(_ key: String) throws(FieldProblem) -> Int64 {
        guard let number = try optionalInteger(key) else {
            throw problem(key, message: "is missing; expected an integer")
        }
        return number
    }

    /// `nil` for an absent key and for null.
    mutating func optionalInteger(_ key: String) throws(FieldProblem) -> Int64? {
        guard let value = take(key) else { return nil }
        guard let number = value.integer else { throw problem(key, message: "expected an integer") }
        return number
    }

    /// An integer within the range.
    mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(FieldProblem) -> Int64 {
        let number = try integer(key)
        guard range.contains(number) else { throw outOfRange(key, range: range) }
        return number
    }

    /// A value of any kind; `nil` for an absent key and for null.
    mutating func optionalValue(_ key: String) -> JSONValue? { take(key) }

    func outOfRange<Bound>(_ key: String, range: ClosedRange<Bound>) -> FieldProblem {
        problem(key, message: "expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }

    /// An integer within the range.
    mutating func count(_ key: String, in range: ClosedRange<Int> = countRange) throws(FieldProblem) -> Int {
        guard let count = Int(exactly: try integer(key)), range.contains(count) else {
            throw outOfRange(key, range: range)
        }
        return count
    }

    /// An integer within the range; `nil` for an absent key and for null.
    mutating func optionalCount(_ key: String, in range: ClosedRange<Int>) throws(FieldProblem) -> Int? {
        guard let number = try optionalInteger(key) else { return nil }
        guard let count = Int(exactly: number), range.contains(count) else { throw outOfRange(key, range: range) }
        return count
    }

    /// A share in percent.
    mutating func percent(_ key: String) throws(FieldProblem) -> Double {
        let number: Double? =
            switch take(key) {
            case .integer(let whole)?: Double(whole)
            case .number(let text)?: Double(text)
            default: nil
            }
        guard let number, (0...100).contains(number) else {
            throw problem(key, message: "expected a number from 0 to 100")
        }
        return number
    }

    /// True or false; false for an absent key.
    mutating func flag(_ key: String) throws(FieldProblem) -> Bool {
        switch take(key) {
        case nil: return false
        case .bool(let flag)?: return flag
        default: throw problem(key, message: "expected true or false")
        }
    }

    /// A list of integers as ``count(_:in:)`` takes them; empty for an absent key.
    mutating func counts(_ key: String) throws(FieldProblem) -> [Int] {
        guard let value = take(key) else { return [] }
        var counts: [Int] = []
        for element in value.array ?? [.null] {
            guard let count = element.integer.flatMap({ Int(exactly: $0) }), Self.countRange.contains(count) else {
                throw problem(key, message: "expected a list of integers from 0")
            }
            counts.append(count)
        }
        return counts
    }

    /// A list of strings.
    mutating func strings(_ key: String) throws(FieldProblem) -> [String] {
        let expected = "expected a list of strings"
        guard let elements = take(key)?.array else { throw problem(key, message: expected) }
        var strings: [String] = []
        for element in elements {
            guard let string = element.string else { throw problem(key, message: expected) }
            strings.append(string)
        }
        return strings
    }

    /// A list of objects, whose unknown fields are not kept; empty for an absent key.
    mutating func objects<Value>(
        _ key: String,
        _ read: (inout FieldReader) throws(FieldProblem) -> Value
    ) throws(FieldProblem) -> [Value] {
        guard let value = take(key) else { return [] }
        var values: [Value] = []
        for element in value.array ?? [.null] {
            guard case .object(let inner) = element else { throw problem(key, message: "expected a list of objects") }
            var reader = FieldReader(inner, prefix: "\(prefix)\(key).")
            values.append(try read(&reader))
        }
        return values
    }

    /// An object of sums.
    mutating func integers(_ key: String) throws(FieldProblem) -> [String: Int64] {
        let numbers = try nested(key) { (inner) throws(FieldProblem) in
            var numbers: [String: Int64] = [:]
            for name in inner.fields.keys { numbers[name] = try inner.integer(name, in: Self.sumRange) }
            return numbers
        }
        return numbers ?? [:]
    }

    /// One of the enumeration's words.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        of choices: Choice.Type
    ) throws(FieldProblem) -> Choice where Choice.RawValue == String {
        guard let choice = try optionalChoice(key, of: choices) else {
            throw problem(key, message: "is missing; expected a string")
        }
        return choice
    }

    /// One of the enumeration's words; `nil` for an absent key and for null.
    mutating func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        of choices: Choice.Type
    ) throws(FieldProblem) -> Choice? where Choice.RawValue == String {
        guard let text = try optionalString(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw problem(key, message: "expected one of " + choices.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Reads an inner object, whose unknown fields stay behind under the same key; `nil` when it is absent.
    mutating func nested<Value>(
        _ key: String,
        _ read: (inout FieldReader) throws(FieldProblem) -> Value
    ) throws(FieldProblem) -> Value? {
        guard let value = take(key) else { return nil }
        guard case .object(let inner) = value else { throw problem(key, message: "expected an object") }
        var reader = FieldReader(inner, prefix: "\(prefix)\(key).")
        let result = try read(&reader)
        if !reader.fields.isEmpty { fields[key] = .object(reader.fields) }
        return result
    }

    func problem(_ key: String, message: String) -> FieldProblem {
        FieldProblem(message: "\(prefix)\(key): \(message)")
    }

    private mutating func take(_ key: String) -> JSONValue? {
        guard let value = fields.removeValue(forKey: key), value != .null else { return nil }
        return value
    }
}
