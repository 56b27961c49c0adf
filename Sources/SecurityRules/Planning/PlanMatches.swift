// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A match with what it allows: where its parts are in the plan.
struct PlanMatch: Sendable {
    enum Segment: Sendable {
        case literal(PlanText)
        case capture
        case glob
    }

    let pattern: Range<Int>
    let allows: Range<Int>
    let inner: PlanMatchList
}

/// Matches beside one another, in the order in which they were written.
struct PlanMatchList: Sendable {
    /// A search one by one takes less time up to this count than one by name.
    static let unindexedCountMax = 8

    var matches = 0..<0
    /// Of more than ``unindexedCountMax`` those that begin with a name and are found by it, in the order of the names' bytes.
    var named = 0..<0
    /// And the numbers of the others.
    var others = 0..<0

    var isEmpty: Bool { matches.isEmpty }
}

/// The matches of a list that begin with a name.
struct NamedMatches: Sendable {
    let name: PlanText
    /// The places of their numbers.
    let numbers: Range<Int>
}

/// A text among those of a plan.
struct PlanText: Sendable {
    let start: Int32
    let count: Int32

    var range: Range<Int> { Int(start)..<Int(start + count) }
}

extension UnsafeRawBufferPointer {
    /// A text of a plan whose texts these are.
    subscript(text: PlanText) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[text.range]) }
}

extension RulesPlan {
    /// Adds matches that are beside one another, each with those in it.
    mutating func list(_ made: [PlanMatch]) -> PlanMatchList {
        let start = matches.count
        matches += made
        var list = PlanMatchList(matches: start..<matches.count)
        guard made.count > PlanMatchList.unindexedCountMax else { return list }
        var byName: [[UInt8]: (name: PlanText, numbers: [Int32])] = [:]
        var others: [Int32] = []
        for number in list.matches {
            if case .literal(let name)? = matches[number].pattern.first.map({ segments[$0] }) {
                byName[Array(texts[name.range]), default: (name, [])].numbers.append(Int32(number))
            } else {
                others.append(Int32(number))
            }
        }
        list.others = add(others)
        let firstNamed = namedMatches.count
        for (_, found) in byName.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            namedMatches.append(NamedMatches(name: found.name, numbers: add(found.numbers)))
        }
        list.named = firstNamed..<namedMatches.count
        return list
    }

    private mutating func add(_ numbers: [Int32]) -> Range<Int> {
        matchNumbers += numbers
        return (matchNumbers.count - numbers.count)..<matchNumbers.count
    }
}
