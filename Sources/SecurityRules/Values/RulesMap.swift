// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A map, whose values may be made when they are asked for.
package final class RulesMap: Sendable {
    private enum Content {
        case entries([String: RulesValue])
        case source(any RulesMapSource)
    }

    private let content: Content
    /// The keys in the order in which a literal has them; `nil` for a map that was not written.
    private let order: [String]?
    /// Whether it has the fields that a query's filters name: documents that it finds may have others.
    let isPartial: Bool

    /// Creates a map of values.
    ///
    /// - Parameters:
    ///   - entries: The values.
    ///   - isPartial: Whether they are what a query's filters say of documents, which may have others.
    package convenience init(_ entries: [String: RulesValue] = [:], isPartial: Bool = false) {
        self.init(entries, order: nil, isPartial: isPartial)
    }

    /// Creates a map with an order of its keys, as a literal has.
    package init(_ entries: [String: RulesValue], order: [String]?, isPartial: Bool = false) {
        content = .entries(entries)
        (self.order, self.isPartial) = (order, isPartial)
    }

    /// Creates a map that asks for its values.
    package init(_ source: any RulesMapSource) {
        content = .source(source)
        (order, isPartial) = (nil, false)
    }

    /// The value of a key; `nil` where there is none.
    package subscript(key: String) -> RulesValue? {
        switch content {
        case .entries(let entries): entries[key]
        case .source(let source): source.value(of: key)
        }
    }

    /// All keys and values.
    package var entries: [String: RulesValue] {
        switch content {
        case .entries(let entries): entries
        case .source(let source): source.entries
        }
    }

    var values: [RulesValue] { orderedKeys.compactMap { self[$0] } }

    /// The bytes of the documents of which its values are made.
    var byteCount: Int {
        if case .source(let source) = content { source.byteCount } else { 0 }
    }

    /// In the order of a literal or of the source, or else of the keys.
    var orderedKeys: [String] {
        if let order { return order }
        if case .source(let source) = content, let order = source.keyOrder { return order }
        return keys
    }

    var keys: [String] { entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

/// Makes the values of a map.
package protocol RulesMapSource: Sendable {
    /// The value of a key; `nil` where there is none.
    func value(of key: String) -> RulesValue?
    /// All keys and values.
    var entries: [String: RulesValue] { get }
    /// All keys in the order in which a report shows them; `nil` where they have none.
    var keyOrder: [String]? { get }
    /// The bytes of the documents of which its values are made.
    var byteCount: Int { get }
}

extension RulesMapSource {
    package var keyOrder: [String]? { nil }
    package var byteCount: Int { 0 }
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
