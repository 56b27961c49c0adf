// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// The moments between a commit's validation and its end.
struct CommitStoringTests {
    private var state = TransactionState(
        times: .documented,
        limits: TransactionLimits(),
        randomness: SeededGenerator(seed: 1)
    )
    private let change: DocumentChange
    private let ticket: CommitTicket

    init() throws {
        let path = try path("c/a")
        let document = Document(path: path, fields: [:], createTime: noon, updateTime: noon)
        self.change = DocumentChange(path: path, before: nil, after: document)
        self.ticket = try state.admit([path], in: demo)
        try state.approach(ticket, at: .zero)
        try state.validate([change], of: ticket, at: .zero)
    }

    private mutating func gateCount(_ read: TransactionRead, of database: DatabaseID = demo) throws -> Int {
        let id = try state.begin(.readWrite(retrying: nil), in: database, at: .zero)
        let locks = try ReadLocks(read, in: database)
        guard case (_, .latest(let gates)) = try state.beginRead(in: id, of: database, read: locks, at: .zero) else {
            return -1
        }
        return gates.count
    }

    private mutating func learn() {
        state.learn(of: CommittedChanges(database: demo, commitTime: noon, content: .documents([change])))
    }

    @Test mutating func `reads of what is being stored wait for it`() throws {
        #expect(try gateCount(.documents([path("c/a")])) == 1)
        #expect(try gateCount(.query(Query("c"))) == 1)
        #expect(try gateCount(.documents([path("c/b")])) == 0)
        #expect(try gateCount(.query(Query("d"))) == 0)
        #expect(try gateCount(.documents([path("c/a")]), of: other) == 0)
    }

    @Test mutating func `once stored, nobody waits and nobody was overtaken`() throws {
        let id = try state.begin(.readWrite(retrying: nil), in: demo, at: .zero)
        let locks = try ReadLocks(.documents([path("c/a")]), in: demo)
        guard case (_, .latest(let gates)) = try state.beginRead(in: id, of: demo, read: locks, at: .zero) else {
            return
        }
        learn()
        for gate in gates { gate.wait() }
        #expect(state.book.record(id, in: demo)?.isOvertaken == false)
        #expect(try gateCount(.documents([path("c/a")])) == 0)
    }

    @Test(arguments: [true, false])
    mutating func `a commit that ends without being told of opens its gate`(isCommitted: Bool) throws {
        state.finish(ticket, as: isCommitted ? .committed : .refused)
        #expect(state.storing.isEmpty)
        #expect(state.commits.isEmpty)
    }

    @Test mutating func `a retry does not end a transaction whose commit is being stored`() throws {
        learn()
        state.finish(ticket, as: .committed)
        let id = try state.begin(.readWrite(retrying: nil), in: demo, at: .zero)
        let commit = try state.admit([path("c/a")], of: id, in: demo, at: .zero)
        try state.validate([change], of: commit, at: .zero)
        _ = try state.begin(.readWrite(retrying: id), in: demo, at: .zero)
        #expect(refusal { try state.rollBack(id, in: demo, at: .zero) } == Refusal.over)
        learn()
        state.finish(commit, as: .committed)
        #expect(state.book.record(id, in: demo)?.phase == .ended(.committed))
    }
}
