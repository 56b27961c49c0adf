// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol

extension FirestoreCalls {
    private typealias Outcomes<Success> = [Result<Success, any Error>]

    /// Makes each write on its own; one that fails does not keep the others from happening.
    ///
    /// A request that cannot be understood, or writes a document twice, fails as a whole.
    package func batchWrite(
        _ request: Proto.BatchWriteRequest,
        in context: CallContext
    ) throws -> WriteAnswer<Proto.BatchWriteResponse> {
        let database = try DatabaseID(parsing: request.database)
        context.attribute(to: database)
        let names = request.writes.compactMap { $0.documentName.map { Array($0.utf8) } }
        try context.authorize(.batchWrite, in: database)
        guard Set(names).count == names.count else { throw CallError.documentWrittenTwice }
        let writes = try [Write](request.writes.map { ReceivedWrite($0) }, in: database)
        context.attribute(to: writes.map(\.path))
        for write in writes { try write.validate(in: database) }
        let started = start(writes, in: database, context: context)
        let stored = started.compactMap(\.stored)
        if stored.count == started.count { return .ready(try Self.answer(stored, in: context)) }
        return .waiting { [transactions] in
            var ended: Outcomes<CommitResult> = []
            // All of them, also when the task is cancelled: until then a commit that waits holds up others.
            for outcome in started { ended.append(await outcome.finished(by: transactions)) }
            return try Self.answer(ended, in: context)
        }
    }

    /// Starts the writes, without those that the quota refuses.
    private func start(
        _ writes: [Write],
        in database: DatabaseID,
        context: CallContext
    ) -> Outcomes<StartedCommit> {
        let admissions = writes.map { write in Result<Void, any Error> { try admit([write]) } }
        let admitted = zip(writes, admissions).filter { (try? $1.get()) != nil }.map { [$0.0] }
        let outcomes = transactions.startCommits(
            admitted,
            in: database,
            authorizing: context.commitAuthorization,
            queued: context.writesQueued
        )
        var started = outcomes[...]
        return admissions.map { $0.flatMap { started.popFirst() ?? .failure(CallError.unexpected) } }
    }

    private static func answer(
        _ outcomes: Outcomes<CommitResult>,
        in context: CallContext
    ) throws -> Proto.BatchWriteResponse {
        // Before any of them may end the call.
        for case .success(let result) in outcomes { context.bill(result) }
        var response = Proto.BatchWriteResponse()
        for outcome in outcomes {
            do {
                response.writeResults += try outcome.get().results.map { Proto.WriteResult($0) }
                response.status.append(Proto.Status())
            } catch let error as FirestoreError {
                response.writeResults.append(Proto.WriteResult())
                response.status.append(Proto.Status(CallError(error)))
            } catch let error as CallError {
                response.writeResults.append(Proto.WriteResult())
                response.status.append(Proto.Status(error))
            }
        }
        return response
    }
}

extension Result<StartedCommit, any Error> {
    /// How the commit has ended; `nil` for one that waits.
    fileprivate var stored: Result<CommitResult, any Error>? {
        switch self {
        case .success(.stored(let result)): .success(result)
        case .success(.waiting): nil
        case .failure(let error): .failure(error)
        }
    }

    fileprivate func finished(by transactions: TransactionManager) async -> Result<CommitResult, any Error> {
        guard case .success(.waiting(let commit)) = self else { return stored ?? .failure(CallError.unexpected) }
        do {
            return .success(try await transactions.finish(commit))
        } catch {
            return .failure(error)
        }
    }
}
