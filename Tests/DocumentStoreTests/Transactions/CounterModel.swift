// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// A model of a few documents `c/…` with a number `n`, to check the store against.
struct CounterModel: Equatable {
    /// A read and what it gave.
    enum Read: Equatable {
        case document(String, Int64?)
        /// All above a number, in order.
        case above(Int64, [String])
    }

    private(set) var numbers: [String: Int64] = [:]

    func document(_ text: String) -> Read { .document(text, numbers[text]) }

    func above(_ bound: Int64) -> Read {
        let found = numbers.filter { $0.value > bound }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return .above(bound, found.map(\.key))
    }

    /// The read, now.
    func again(_ read: Read) -> Read {
        switch read {
        case .document(let text, _): document(text)
        case .above(let bound, _): above(bound)
        }
    }

    /// `nil` deletes.
    mutating func apply(_ writes: [String: Int64?]) {
        for (text, number) in writes { numbers[text] = number }
    }

    /// The changes that these writes make.
    func changes(_ writes: [String: Int64?]) throws -> [DocumentChange] {
        try writes.compactMap { text, number in
            guard numbers[text] != number else { return nil }
            return DocumentChange(
                path: try path(text),
                before: try numbers[text].map { try Self.document(text, $0) },
                after: try number.map { try Self.document(text, $0) }
            )
        }
    }

    static func query(above bound: Int64) throws -> Query {
        Query("c", where: .field(try field("n"), .greaterThan, .integer(bound)))
    }

    private static func document(_ text: String, _ number: Int64) throws -> Document {
        Document(path: try path(text), fields: ["n": .integer(number)], createTime: noon, updateTime: noon)
    }
}

extension SeededGenerator {
    mutating func counterName() -> String { "c/\(Int.random(in: 0..<5, using: &self))" }

    mutating func counterWrites() -> [String: Int64?] {
        var writes: [String: Int64?] = [:]
        for _ in 0..<Int.random(in: 1...2, using: &self) {
            writes.updateValue(chance(15) ? nil : Int64.random(in: 0...9, using: &self), forKey: counterName())
        }
        return writes
    }
}
