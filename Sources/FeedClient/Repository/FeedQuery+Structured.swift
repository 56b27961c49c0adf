// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import SessionLog

// Filters and orders as Firestore's structured query has them.

extension FeedOrder {
    var structured: JSONValue {
        .object([
            "field": .object(["fieldPath": .string(field)]),
            "direction": .string(isDescending ? "DESCENDING" : "ASCENDING"),
        ])
    }
}

extension [FeedFilter] {
    /// `nil` for none.
    var structured: JSONValue? {
        guard count > 1 else { return first?.structured }
        return .object(["compositeFilter": .object(["op": .string("AND"), "filters": .array(map(\.structured))])])
    }
}

extension FeedFilter {
    fileprivate var structured: JSONValue {
        .object([
            "fieldFilter": .object([
                "field": .object(["fieldPath": .string(field)]),
                "op": .string(comparison.rawValue),
                "value": value.structured,
            ])
        ])
    }
}

extension FeedFilter.Value {
    fileprivate var structured: JSONValue {
        switch self {
        case .string(let text): .object(["stringValue": .string(text)])
        case .integer(let number): .object(["integerValue": .string(String(number))])
        case .double(let number): .object(["doubleValue": Self.structured(number)])
        case .boolean(let flag): .object(["booleanValue": .bool(flag)])
        case .timestamp(let date):
            .object(["timestampValue": .string(LogTime(microseconds: date.wholeMicroseconds).text)])
        case .array(let values): .object(["arrayValue": .object(["values": .array(values.map(\.structured))])])
        }
    }

    /// A number, or the name of one that JSON does not have.
    private static func structured(_ number: Double) -> JSONValue {
        if number.isFinite { return .number(String(number)) }
        return .string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity")
    }
}

extension Date {
    fileprivate var wholeMicroseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }
}
