// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The order of values written down a second time, straight from the rules and without keys.
package enum ReferenceOrder {
    package static func compare(_ left: Value, _ right: Value) -> Int {
        let ranks = compare(rank(left), rank(right))
        guard ranks == 0 else { return ranks }
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): return compare(left, right)
        case (.integer(let left), .double(let right)): return compare(left, right)
        case (.double(let left), .integer(let right)): return -compare(right, left)
        case (.double(let left), .double(let right)): return compare(doubles: left, right)
        case (.timestamp(let left), .timestamp(let right)): return compare(left.microseconds, right.microseconds)
        case (.string(let left), .string(let right)): return compare(Array(left.utf8), Array(right.utf8))
        case (.bytes(let left), .bytes(let right)): return compare(left, right)
        case (.reference(let left), .reference(let right)): return compare(left, right)
        case (.geoPoint(let left), .geoPoint(let right)):
            let latitudes = compare(doubles: left.latitude, right.latitude)
            return latitudes != 0 ? latitudes : compare(doubles: left.longitude, right.longitude)
        case (.array(let left), .array(let right)): return compareAll(left, right, compare)
        case (.vector(let left), .vector(let right)):
            let counts = compare(left.count, right.count)
            return counts != 0 ? counts : compareAll(left, right) { compare(doubles: $0, $1) }
        case (.map(let left), .map(let right)): return compare(left, right)
        default: return 0
        }
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .boolean: 1
        case .integer, .double: 2
        case .timestamp: 3
        case .string: 4
        case .bytes: 5
        case .reference: 6
        case .geoPoint: 7
        case .array: 8
        case .vector: 9
        case .map: 10
        }
    }

    private static func compare<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private static func compare(doubles left: Double, _ right: Double) -> Int {
        guard !left.isNaN, !right.isNaN else { return compare(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1) }
        return compare(left, right)
    }

    private static func compare(_ left: Int64, _ right: Double) -> Int {
        if right.isNaN || right < -0x1p63 { return 1 }
        if right >= 0x1p63 { return -1 }
        let whole = compare(left, Int64(right.rounded(.down)))
        return whole != 0 ? whole : compare(doubles: 0, right - right.rounded(.down))
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        compareAll(left, right) { compare($0, $1) }
    }

    private static func compareAll<Element>(
        _ left: [Element],
        _ right: [Element],
        _ compareOne: (Element, Element) -> Int
    ) -> Int {
        for (left, right) in zip(left, right) {
            let result = compareOne(left, right)
            if result != 0 { return result }
        }
        return compare(left.count, right.count)
    }

    private static func compare(_ left: [String: Value], _ right: [String: Value]) -> Int {
        compareAll(sorted(left), sorted(right)) { left, right in
            let names = compare(Array(left.key.utf8), Array(right.key.utf8))
            return names != 0 ? names : compare(left.value, right.value)
        }
    }

    private static func sorted(_ fields: [String: Value]) -> [(key: String, value: Value)] {
        fields.sorted { compare(Array($0.key.utf8), Array($1.key.utf8)) < 0 }
    }

    private static func compare(_ left: DocumentReference, _ right: DocumentReference) -> Int {
        let databases = compareAll(
            [left.database.project, left.database.database],
            [right.database.project, right.database.database]
        ) { compare(Array($0.utf8), Array($1.utf8)) }
        guard databases == 0 else { return databases }
        return compareAll(left.path.segments, right.path.segments, compare(segments:_:))
    }

    private static func compare(segments left: String, _ right: String) -> Int {
        switch (ResourceID.numericValue(of: left), ResourceID.numericValue(of: right)) {
        case (let left?, let right?): compare(left, right)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): compare(Array(left.utf8), Array(right.utf8))
        }
    }
}
