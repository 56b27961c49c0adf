// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import SwiftProtobuf

extension MessageSchema.Scalar {
    /// The name in refusals.
    var typeName: String {
        switch self {
        case .bool: "TYPE_BOOL"
        case .int32: "TYPE_INT32"
        case .int64: "TYPE_INT64"
        case .double: "TYPE_DOUBLE"
        case .string: "TYPE_STRING"
        case .bytes: "TYPE_BYTES"
        case .timestamp: "type.googleapis.com/google.protobuf.Timestamp"
        case .null: "type.googleapis.com/google.protobuf.NullValue"
        }
    }

    /// The value as SwiftProtobuf reads it; `nil` for one that is refused.
    func strict(_ tree: JSONTree) -> JSONTree? {
        switch tree {
        case .boolean: self == .bool ? tree : nil
        case .null: self == .null ? tree : nil
        case .number(let literal): holds(number: literal) ? tree : nil
        case .string(let text): strict(text: text)
        case .array, .object: nil
        }
    }

    /// A literal of an integer may have a fraction of zero.
    private func holds(number literal: String) -> Bool {
        switch self {
        case .int32: Double(literal).flatMap { Int32(exactly: $0) } != nil
        case .int64: Int64(literal) != nil || Double(literal).flatMap { Int64(exactly: $0) } != nil
        case .double: true
        case .bool, .string, .bytes, .timestamp, .null: false
        }
    }

    private func strict(text: String) -> JSONTree? {
        let isFine =
            switch self {
            case .bool: text == "true" || text == "false"
            case .int32: Int32(text) != nil
            case .int64: Int64(text) != nil
            case .double: Self.doubles.contains(text) || Double(text) != nil
            case .string: true
            case .bytes: Self.isBase64(text)
            case .timestamp: Self.isTimestamp(.string(text)) && !Self.exceedsLimits(text)
            case .null: text == "NULL_VALUE"
            }
        guard isFine else { return nil }
        return switch self {
        case .bool: .boolean(text == "true")
        case .null: .null
        case .int32, .int64, .double, .string, .bytes, .timestamp: .string(text)
        }
    }

    /// The problem of a refused value.
    func complaint(about tree: JSONTree, in jsonName: String) -> String {
        switch (self, tree) {
        case (.bytes, .string(let text)):
            "Base64 decoding failed for \"\(text)\""
        case (.timestamp, .string(let text)) where Self.exceedsLimits(text):
            "Field '\(jsonName)', Timestamp value exceeds limits"
        case (.timestamp, .string):
            "Field '\(jsonName)', Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
        default:
            tree.text
        }
    }

    /// Whether a time with an offset has a year beyond 1 to 9999, or more than nine digits of a second.
    private static func exceedsLimits(_ time: String) -> Bool {
        let hasOffset = time.hasSuffix("Z") || time.dropLast(3).suffix(3).contains { $0 == "+" || $0 == "-" }
        let year = time.prefix { $0 != "-" }
        let fraction = time.split(separator: ".", maxSplits: 1).dropFirst().first?.prefix(while: \.isNumber)
        return hasOffset && year.allSatisfy(\.isNumber)
            && (year.count > 4 || Int(year) == 0 || fraction?.count ?? 0 > 9)
    }

    private static let doubles: Set<String> = ["NaN", "Infinity", "-Infinity"]

    private static func isBase64(_ text: String) -> Bool {
        (try? Google_Protobuf_BytesValue(jsonString: JSONTree.string(text).text)) != nil
    }

    private static func isTimestamp(_ tree: JSONTree) -> Bool {
        (try? Google_Protobuf_Timestamp(jsonString: tree.text)) != nil
    }
}
