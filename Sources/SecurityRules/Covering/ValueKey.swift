// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The bytes of a value: equal for values that messages of Protocol Buffers would hold to be equal.
///
/// The integer 1 is not the float 1.0, the order of a map's keys does not count, and that of a set does (official
/// emulator 1.19.9, 2026-11).
struct ValueKey: Hashable {
    private(set) var bytes: [UInt8] = []

    init(_ value: RulesValue) { add(value) }

    /// All bytes at once: an array of bytes would hash one by one.
    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    private mutating func add(_ value: RulesValue) {
        switch value {
        case .null: bytes.append(0)
        case .boolean(let isTrue): bytes += [1, isTrue ? 1 : 0]
        case .integer(let number): add(2, number)
        case .float(let number): add(number)
        case .string(let text): add(4, text)
        case .bytes(let content):
            add(5, Int64(content.count))
            bytes += content
        case .timestamp(let time):
            add(6, time.seconds)
            add(6, Int64(time.nanoseconds))
        case .duration(let span):
            add(7, span.seconds)
            add(7, Int64(span.nanoseconds))
        case .latLng(let place):
            bytes.append(8)
            add(place.latitude)
            add(place.longitude)
        case .path(let path): add(path)
        case .list(let elements): add(10, elements)
        case .set(let set): add(11, set.elements)
        case .vector(let numbers): add(12, numbers.map(RulesValue.float))
        case .map(let map): add(map)
        case .mapDiff(let difference):
            add(14, Int64(difference.statuses.count))
            for (key, status) in difference.statuses.sorted(by: { $0.key < $1.key }) {
                add(14, key)
                bytes.append(status.byte)
            }
        case .constraint(let constraint):
            add(15, Int64(constraint.parts.count))
            for part in constraint.parts {
                add(15, part.comparator.protoName)
                add(part.value)
            }
        case .failure(.located(let failure, let place)):
            add(16, Int64(place.start))
            add(16, failure.text ?? "")
        case .failure(let failure): add(17, failure.text ?? "")
        }
    }

    private mutating func add(_ kind: UInt8, _ number: Int64) {
        bytes.append(kind)
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// There is one NaN, and there are two zeros.
    private mutating func add(_ number: Double) { add(3, Int64(bitPattern: (number.isNaN ? .nan : number).bitPattern)) }

    private mutating func add(_ kind: UInt8, _ text: String) {
        add(kind, Int64(text.utf8.count))
        bytes += text.utf8
    }

    private mutating func add(_ kind: UInt8, _ elements: [RulesValue]) {
        add(kind, Int64(elements.count))
        for element in elements { add(element) }
    }

    private mutating func add(_ map: RulesMap) {
        let entries = map.entries
        add(13, Int64(entries.count))
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            add(13, key)
            add(value)
        }
    }

    private mutating func add(_ path: RulesPath) {
        add(9, Int64(path.segments.count))
        for segment in path.segments {
            switch segment {
            case .literal(let name): add(20, name)
            case .capture(let name, let bound):
                add(21, name)
                add(21, bound ?? "")
            case .glob(let name, let bound):
                add(22, name)
                add(22, Int64(bound?.count ?? -1))
                for name in bound ?? [] { add(22, name) }
            case .unbound: bytes.append(23)
            case .anywhere: bytes.append(24)
            }
        }
    }
}

extension MapDiff.Status {
    fileprivate var byte: UInt8 {
        switch self {
        case .added: 0
        case .removed: 1
        case .changed: 2
        case .unchanged: 3
        }
    }
}
