// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// The documents of an asked query, read in parts as they are taken.
enum QueryReading {
    case documents(QueryCursor)
    case nearest(NearestCursor)

    /// Whether all documents were given out.
    var isFinished: Bool {
        switch self {
        case .documents(let cursor): cursor.isFinished
        case .nearest(let cursor): cursor.isFinished
        }
    }

    /// The cost of the parts so far.
    var cost: QueryCost {
        switch self {
        case .documents(let cursor): QueryCost(cursor.summary)
        case .nearest(let cursor): QueryCost(cursor.summary, nearestCount: cursor.returnedCount)
        }
    }

    /// Reads the next documents; none when that was all, which may show only now.
    func nextPart() throws -> [Document] {
        switch self {
        case .documents(let cursor): try cursor.nextPart()
        case .nearest(let cursor): try cursor.nextPart()
        }
    }
}
