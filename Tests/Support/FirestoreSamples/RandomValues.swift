// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel
package import TestSupport

/// Values of every type, from few enough choices that equal ones turn up often.
package struct RandomValues {
    package var generator: SeededGenerator

    package init(seed: UInt64) {
        self.generator = SeededGenerator(seed: seed)
    }

    package mutating func value(depth: Int = 3) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 11), using: &generator) {
        case 0: .null
        case 1: .boolean(generator.chance(50))
        case 2, 3: .integer(integer())
        case 4, 5: .double(double())
        case 6: .timestamp(Timestamp(seconds: generator.pick([-5, 0, 7]), nanoseconds: generator.pick([0, 1_000])))
        case 7, 8: .string(text())
        case 9: .bytes(generator.pick([[], [0], [0, 0], [0, 255], [255], [1, 0, 1]]))
        case 10: scalarPair()
        case 11: .array(elements(depth: depth - 1))
        case 12: .vector((0..<Int.random(in: 1...3, using: &generator)).map { _ in double() })
        default: .map(fields(depth: depth - 1))
        }
    }

    package mutating func fields(depth: Int) -> [String: Value] {
        var fields: [String: Value] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            fields[generator.pick(["a", "b", "ab", "é", "a\u{0}"])] = value(depth: depth)
        }
        return fields
    }

    private mutating func elements(depth: Int) -> [Value] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth) }
    }

    private mutating func integer() -> Int64 {
        let near = Int64.random(in: -3...3, using: &generator)
        return switch Int.random(in: 0..<6, using: &generator) {
        case 0: near
        case 1: (1 << 53) + near
        case 2: -(1 << 53) + near
        case 3: .max - abs(near)
        case 4: .min + abs(near)
        default: (1 << 62) + near * 300
        }
    }

    private mutating func double() -> Double {
        let special = [
            0.0, -0.0, 1.0, 1.5, -1.0, .nan, .infinity, -.infinity, 0x1p53, 0x1p53 + 2, -0x1p53, 0x1p63, -0x1p63,
            0x1p62,
            .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]
        return generator.chance(80) ? generator.pick(special) : Double.random(in: -3...3, using: &generator)
    }

    private mutating func text() -> String {
        generator.pick(["", "a", "ab", "a\u{0}", "a\u{0}b", "a\u{1}", "b", "é", "e\u{301}", "\u{FFFF}", "\u{1F600}"])
    }

    private mutating func scalarPair() -> Value {
        guard generator.chance(50) else {
            return .geoPoint(GeoPoint(latitude: generator.pick([-1, 0, 2]), longitude: generator.pick([-3, -0.0, 4])))
        }
        let segments = generator.pick([
            ["c", "a"], ["c", "__id7__"], ["c", "__id10__"], ["c", "__id-2__"], ["c", "a", "d", "x"], ["c", "ab"],
        ])
        guard let path = try? DocumentPath(segments) else { return .null }
        let database = generator.pick([demo, DatabaseID(project: "demo", database: "other"), DatabaseID(project: "a")])
        return .reference(DocumentReference(database: database, path: path))
    }
}
