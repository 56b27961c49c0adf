// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A map, whose values may be made when they are asked for.
package struct RulesMap: Sendable {
    private let source: any RulesMapSource

    /// Creates a map of values.
    ///
    /// - Parameters:
    ///   - entries: The values.
    ///   - isPartial: Whether they are what a query's filters say of documents, which may have others.
    package init(_ entries: [String: RulesValue] = [:], isPartial: Bool = false) {
        self.init(entries, order: nil, isPartial: isPartial)
    }

    /// Creates a map with an order of its keys, as a literal has.
    package init(_ entries: [String: RulesValue], order: [String]?, isPartial: Bool = false) {
        source = KnownValues(entries, order: order, isPartial: isPartial)
    }

    /// Creates a map that asks for its values.
    package init(_ source: any RulesMapSource) { self.source = source }

    /// Which map it is: copies have one, whatever an equal map has.
    var identity: ObjectIdentifier { ObjectIdentifier(source) }

    /// The value of a key; `nil` where there is none.
    package subscript(key: String) -> RulesValue? { source.value(of: key) }

    /// All keys and values.
    package var entries: [String: RulesValue] { source.entries }

    var values: [RulesValue] { orderedKeys.compactMap { self[$0] } }

    /// The bytes of the documents of which its values are made.
    var byteCount: Int { source.byteCount }

    /// Whether it has the fields that a query's filters name: documents that it finds may have others.
    var isPartial: Bool { source.isPartial }

    /// In the order of a literal or of the source, or else of the keys.
    var orderedKeys: [String] { source.keyOrder ?? keys }

    var keys: [String] { entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

/// Makes the values of a map.
///
/// An object, so that a map in a value is a reference and no more.
package protocol RulesMapSource: AnyObject, Sendable {
    /// The value of a key; `nil` where there is none.
    func value(of key: String) -> RulesValue?
    /// All keys and values.
    var entries: [String: RulesValue] { get }
    /// All keys in the order in which a report shows them; `nil` where they have none.
    var keyOrder: [String]? { get }
    /// The bytes of the documents of which its values are made.
    var byteCount: Int { get }
    /// Whether documents may have more values.
    var isPartial: Bool { get }
}

extension RulesMapSource {
    package var keyOrder: [String]? { nil }
    package var byteCount: Int { 0 }
    package var isPartial: Bool { false }
}

/// Values that are there.
private final class KnownValues: RulesMapSource {
    let entries: [String: RulesValue]
    let keyOrder: [String]?
    let isPartial: Bool

    init(_ entries: [String: RulesValue], order: [String]?, isPartial: Bool) {
        (self.entries, keyOrder, self.isPartial) = (entries, order, isPartial)
    }

    func value(of key: String) -> RulesValue? { entries[key] }
}

/// How each key of two maps differs.
package struct MapDiff: Sendable {
    enum Status: Sendable {
        case added, removed, changed, unchanged
    }

    let statuses: [String: Status]
    /// The keys of the other map in their order, then those that are added.
    let order: [String]

    /// The keys that are only in `receiver` are added.
    init(_ receiver: RulesMap, _ other: RulesMap) {
        let (left, right) = (receiver.entries, other.entries)
        var statuses: [String: Status] = right.mapValues { _ in .removed }
        for (key, value) in left {
            statuses[key] = right[key].map { $0.isSame(as: value, by: .loose) ? .unchanged : .changed } ?? .added
        }
        self.statuses = statuses
        order = other.orderedKeys + receiver.orderedKeys.filter { right[$0] == nil }
    }

    func keys(_ wanted: Set<Status>) -> RulesValue {
        let keys = order.filter { key in statuses[key].map(wanted.contains) ?? false }
        return .set(RulesSet(keys.map(RulesValue.string)))
    }
}
