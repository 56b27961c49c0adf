// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A match with what it allows.
final class PlanMatch: Sendable {
    let pattern: [PatternSegment.Form]
    let allows: [PlanAllow]
    let matches: PlanMatches

    init(pattern: [PatternSegment.Form], allows: [PlanAllow], matches: PlanMatches) {
        (self.pattern, self.allows, self.matches) = (pattern, allows, matches)
    }
}

/// Matches beside one another, found by the segment that a path has at their place.
struct PlanMatches: Sendable {
    /// A search one by one takes less time up to this count than one by name.
    private static let unindexedCountMax = 8

    private let all: [PlanMatch]
    /// The places of those that begin with a name and are found by it.
    private var named: [String: [Int]] = [:]
    /// The places of the others.
    private var others: [Int] = []

    init(_ all: [PlanMatch] = []) {
        self.all = all
        guard all.count > Self.unindexedCountMax else {
            others = Array(all.indices)
            return
        }
        for (place, match) in all.enumerated() {
            if case .literal(let name)? = match.pattern.first {
                named[name, default: []].append(place)
            } else {
                others.append(place)
            }
        }
    }

    var isEmpty: Bool { all.isEmpty }

    /// Visits those that may match a path, in the order in which they were written, until a visit returns `false`.
    ///
    /// - Parameters:
    ///   - element: The first segment that they are to match; `nil` at the end of the path.
    ///   - visit: Returns whether the next is to be visited.
    func visit(at element: RulesPath.Segment?, _ visit: (PlanMatch) -> Bool) {
        var withName: [Int] = []
        if case .literal(let name)? = element, !named.isEmpty { withName = named[name] ?? [] }
        var (nextNamed, nextOther) = (0, 0)
        while true {
            let place = nextNamed < withName.count ? withName[nextNamed] : Int.max
            let other = nextOther < others.count ? others[nextOther] : Int.max
            guard min(place, other) < all.count else { return }
            if place < other { nextNamed += 1 } else { nextOther += 1 }
            guard visit(all[min(place, other)]) else { return }
        }
    }
}
