// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol

/// The answers of one run of a query, in the order production sends them (recorded 2026-09).
///
/// Reads a part of the documents at a time, when the one before has been taken.
final class QueryAnswers {
    typealias Answer = DocumentAnswer<Proto.RunQueryResponse>

    private let database: DatabaseID
    private let context: CallContext
    private let reading: QueryReading
    /// Goes with the last answer.
    private let explanation: Explanation?
    /// The answers before those with documents.
    private var heads: ArraySlice<Answer> = []
    /// The rest of the part, the next document last: each is released once it is taken.
    private var part: [Document] = []
    /// The cost of the parts so far.
    private var cost: QueryCost
    /// The answer to be given next, where it has to be known whether it is the last.
    private var ahead: Answer?

    /// Reads the first part.
    init(
        _ reading: QueryReading,
        in database: DatabaseID,
        begun: TransactionID?,
        explanation: Explanation?,
        in context: CallContext
    ) throws {
        self.database = database
        self.context = context
        self.reading = reading
        self.explanation = explanation
        cost = QueryCost.nothing
        try readPart()
        if let begun { heads.append(Self.beginning(begun, in: database)) }
        if cost.skippedCount > 0 || part.isEmpty {
            var response = Proto.RunQueryResponse()
            response.skippedResults = Int32(clamping: cost.skippedCount)
            heads.append(Answer(readTime: cost.readTime, rest: response, in: database))
        }
        if explanation != nil { ahead = try take() }
    }

    /// The one answer of a query that is explained but not run.
    static func plan(_ metrics: Proto.ExplainMetrics, in database: DatabaseID) -> Answer {
        var response = Proto.RunQueryResponse()
        response.explainMetrics = metrics
        return Answer(rest: response, in: database)
    }

    private static func beginning(_ transaction: TransactionID, in database: DatabaseID) -> Answer {
        var response = Proto.RunQueryResponse()
        response.transaction = transaction.data
        return Answer(rest: response, in: database)
    }

    /// The next answer; `nil` after the last.
    func next() throws -> Answer? {
        guard let explanation else { return try take() }
        guard var answer = ahead else { return nil }
        ahead = try take()
        guard ahead == nil else { return answer }
        var rest = answer.rest ?? Proto.RunQueryResponse()
        rest.explainMetrics = explanation.metrics(of: cost)
        answer.rest = rest
        return answer
    }

    private func take() throws -> Answer? {
        if let head = heads.popFirst() { return head }
        if part.isEmpty { try readPart() }
        return part.popLast().map { Answer($0, readTime: cost.readTime, in: database) }
    }

    /// Reads the next documents, if there are any.
    private func readPart() throws {
        repeat {
            guard !reading.isFinished else { return }
            part = try reading.nextPart()
            context.note { $0.append(part, in: database) }
            part.reverse()
            let former = cost.billedReads
            cost = reading.cost
            context.bill(reads: cost.billedReads - former)
        } while part.isEmpty
    }
}

extension Explanation {
    fileprivate func metrics(of cost: QueryCost) -> Proto.ExplainMetrics {
        metrics(
            resultCount: cost.returnedCount,
            billedReads: cost.billedReads,
            billableEntries: cost.billedIndexEntries,
            read: ReadCounts(documents: cost.returnedCount + cost.skippedCount, indexEntries: cost.indexEntriesRead)
        )
    }
}

/// The answers of a call, made one by one as the client takes them.
///
/// Each may read the store, and bills the call's context. For one thread at a time.
struct AnswerStream<Answer> {
    private let makeNext: () throws -> Answer?

    init(_ makeNext: @escaping () throws -> Answer?) {
        self.makeNext = makeNext
    }

    /// Answers that are ready.
    init(_ answers: [Answer]) {
        var rest = answers[...]
        self.init { rest.popFirst() }
    }

    /// The next answer; `nil` after the last.
    func next() throws -> Answer? {
        try makeNext()
    }
}

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
