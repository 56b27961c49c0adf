// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Finds the matches of a path.
struct PathWalk {
    typealias Bindings = UnsafeBufferPointer<PathBinding>
    /// Takes a match with the bindings of its captures and of those around it; returns whether to continue.
    typealias Visit = (PlanMatch, Bindings) -> Bool

    private let plan: QuickPlan
    private let path: PathNames
    private let bindings: UnsafeMutableBufferPointer<PathBinding>

    /// Visits every match of a path, until a visit returns `false`.
    ///
    /// Matches come in the order in which they were written, one before those in it; one with a glob comes as often as it matches.
    static func visit(_ plan: QuickPlan, _ path: PathNames, _ visit: Visit) {
        withUnsafeTemporaryAllocation(of: PathBinding.self, capacity: plan.captureCountMax) { bindings in
            _ = PathWalk(plan: plan, path: path, bindings: bindings).visit(plan.root, at: 0, bound: 0, visit)
        }
    }

    /// Visits matches, and those in them, from a place in the path on; returns whether to continue.
    private func visit(_ list: PlanMatchList, at place: Int, bound count: Int, _ visit: Visit) -> Bool {
        guard !list.named.isEmpty else {
            for number in list.matches where !self.visit(number, at: place, bound: count, visit) { return false }
            return true
        }
        var named = place < path.count ? path[place].text.map { numbers(of: $0, in: list.named) } ?? 0..<0 : 0..<0
        var others = list.others
        while let next = nextNumber(&named, &others) {
            guard self.visit(next, at: place, bound: count, visit) else { return false }
        }
        return true
    }

    /// Takes the smaller of the first numbers of two rows.
    private func nextNumber(_ named: inout Range<Int>, _ others: inout Range<Int>) -> Int? {
        let first = named.isEmpty ? Int32.max : plan.matchNumbers[named.lowerBound]
        let other = others.isEmpty ? Int32.max : plan.matchNumbers[others.lowerBound]
        guard min(first, other) < Int32.max else { return nil }
        if first < other { named.removeFirst() } else { others.removeFirst() }
        return Int(min(first, other))
    }

    /// The places of the numbers of the matches that begin with a name.
    private func numbers(of name: UnsafeRawBufferPointer, in named: Range<Int>) -> Range<Int> {
        var (low, high) = (named.lowerBound, named.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if text(ofNamed: middle).precedesInBytes(name) { low = middle + 1 } else { high = middle }
        }
        guard low < named.upperBound, text(ofNamed: low).hasSameBytes(as: name) else { return 0..<0 }
        return plan.namedMatches[low].numbers
    }

    private func text(ofNamed place: Int) -> UnsafeRawBufferPointer { plan.texts[plan.namedMatches[place].name] }

    private func visit(_ number: Int, at place: Int, bound count: Int, _ visit: Visit) -> Bool {
        let match = plan.matches[number]
        return self.visit(match, segment: match.pattern.lowerBound, at: place, bound: count, visit)
    }

    private func visit(_ match: PlanMatch, segment: Int, at place: Int, bound count: Int, _ visit: Visit) -> Bool {
        var (place, count) = (place, count)
        for segment in segment..<match.pattern.upperBound {
            switch plan.segments[segment] {
            case .literal(let name):
                guard place < path.count, path[place].text?.hasSameBytes(as: plan.texts[name]) == true else {
                    return true
                }
            case .capture:
                guard place < path.count else { return true }
                if case .anywhere = path[place] { return true }
                bindings[count] = PathBinding(start: place, end: place + 1, isGlob: false)
                count += 1
            case .glob:
                return visitGlob(match, segment: segment, at: place, bound: count, visit)
            }
            place += 1
        }
        if place == path.count, !visit(match, Bindings(rebasing: bindings[..<count])) { return false }
        return match.inner.isEmpty || self.visit(match.inner, at: place, bound: count, visit)
    }

    /// Version 1 wants at least one segment, and takes all that are left.
    private func visitGlob(_ match: PlanMatch, segment: Int, at place: Int, bound count: Int, _ visit: Visit) -> Bool {
        let least = plan.version == .one ? place + 1 : place
        guard least <= path.count else { return true }
        // With nothing behind it that could match, it takes all, too.
        let takesAll = plan.version == .one || (segment == match.pattern.upperBound - 1 && match.inner.isEmpty)
        // The shortest first: the order shows in refusals.
        for end in (takesAll ? path.count : least)...path.count {
            bindings[count] = PathBinding(start: place, end: end, isGlob: true)
            guard self.visit(match, segment: segment + 1, at: end, bound: count + 1, visit) else { return false }
        }
        return true
    }
}

/// The segment of a path that a capture of a match is bound to, or any number of them.
struct PathBinding {
    let start: Int
    let end: Int
    let isGlob: Bool

    /// Its value in a path.
    func value(in path: [RulesPath.Segment]) -> RulesValue {
        isGlob ? .path(RulesPath(Array(path[start..<end]))) : path[start].value
    }
}
