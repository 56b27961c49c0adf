// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Entries in several runs, each in the query's order, and how far each has been read.
struct MergedRuns {
    /// The next document of a run.
    struct Head {
        /// The place in the query's order.
        let key: OrderedKey
        let row: Int64
        var document: Document?
    }

    struct Run {
        /// The place of the branch that it is of.
        let source: Int
        let intervals: [KeyInterval]
        /// The interval that is read.
        var number = 0
        /// The last entry read of it.
        var lastEntry: OrderedKey?
        /// Backwards.
        var heads: [Head] = []

        var isRead: Bool { number == intervals.count }

        /// The part of the interval that has not been read.
        func rest(_ direction: Query.Direction) -> KeyInterval {
            guard let lastEntry else { return intervals[number] }
            return intervals[number].from(lastEntry, isIncluded: false, direction: direction)
        }
    }

    /// Entries of a run that are read at a time, and the bytes of their documents about.
    static let headCountMax = 32
    static let headByteCountMax = 32 << 10

    var runs: [Run]
    /// The place of the last document given out.
    var lastKey: OrderedKey?

    init(_ access: AccessPath) {
        runs = access.branches.enumerated().flatMap { place, branch in
            branch.runs.map { Run(source: place, intervals: $0) }
        }
    }

    /// The next document of all.
    enum Next {
        /// One that is no longer as it was.
        case former(FormerDocuments.Member)
        case head(Head)

        var key: OrderedKey {
            switch self {
            case .former(let member): member.key
            case .head(let head): head.key
            }
        }
    }

    /// Takes the first of the runs' heads, or of the documents that are no longer as they were.
    mutating func takeFirst(or former: inout ArraySlice<FormerDocuments.Member>) -> Next? {
        var first: (index: Int, key: OrderedKey)?
        for (index, run) in runs.enumerated() {
            guard let key = run.heads.last?.key, first.map({ key < $0.key }) ?? true else { continue }
            first = (index, key)
        }
        if let member = former.first, first.map({ member.key < $0.key }) ?? true {
            former.removeFirst()
            return .former(member)
        }
        return first.flatMap { runs[$0.index].heads.popLast() }.map { .head($0) }
    }

    /// Forgets the documents, as they are not asked for soon.
    mutating func forgetDocuments() {
        for run in runs.indices {
            for head in runs[run].heads.indices { runs[run].heads[head].document = nil }
        }
    }
}
