// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which members of an answer a client wants, as the parameter `fields` of Google's APIs says it.
///
///     fields   = field *("," field)
///     field    = segment ["/" field | "(" fields ")"]
///     segment  = name | "*"
///
/// `a/b`, `a(b,c)` and `a/*/b` reach into objects and into each element of a list; `*` is every member. Naming a member
/// with and without members of its own wants all of it. Source:
/// https://cloud.google.com/storage/docs/json_api#partial-response (2026-11). Some APIs also take a dot for the slash,
/// as `google.protobuf.FieldMask` writes paths.
package struct FieldSelector: Equatable, Sendable {
    /// The longest parameter, in bytes.
    package static let byteCountMax = 8_192
    /// How deep a selection may reach.
    package static let depthMax = 32

    /// Everything.
    package static let everything = Self(members: nil)

    /// The selection in each member; `nil` selects all.
    package private(set) var members: [String: FieldSelector]?

    private init(members: [String: FieldSelector]?) {
        self.members = members
    }

    /// Reads a parameter; without one, or with an empty one, everything is wanted.
    package init(_ parameter: String?, separators: Set<Character> = ["/"]) throws(FieldSelectionError) {
        guard let parameter, !parameter.isEmpty else {
            self = .everything
            return
        }
        guard parameter.utf8.count <= Self.byteCountMax else { throw .tooLong }
        var parser = FieldParser(parameter, separators: separators)
        guard let selector = parser.parse() else { throw .malformed(parameter) }
        self = selector
    }

    /// A selection of nothing, to be added to.
    package static let nothing = Self(members: [:])

    /// Whether nothing is left out.
    package var isEverything: Bool { members == nil }

    /// Wants a member too, or more of it.
    package mutating func add(_ name: String, _ selector: FieldSelector) {
        guard var members else { return }
        members[name] = members[name].map { $0.union(selector) } ?? selector
        self.members = members
    }

    /// The selection in a member; `nil` when it is not selected.
    func member(_ name: String) -> FieldSelector? {
        guard let members else { return .everything }
        switch (members[name], members["*"]) {
        case (let named?, let every?): return named.union(every)
        case (let named, let every): return named ?? every
        }
    }

    /// The union of two selections.
    private func union(_ other: FieldSelector) -> FieldSelector {
        guard let members, let others = other.members else { return .everything }
        return FieldSelector(members: members.merging(others) { $0.union($1) })
    }
}

/// Why a selection was refused.
package enum FieldSelectionError: Error, Equatable, Sendable {
    /// The parameter is not of the grammar.
    case malformed(String)
    /// The parameter has more than ``FieldSelector/byteCountMax`` bytes.
    case tooLong
}
