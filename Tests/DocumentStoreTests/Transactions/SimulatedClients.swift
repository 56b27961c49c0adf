// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Clients of the transactions' state, one step at a time, in an order drawn from a seed, over a store that is a
/// dictionary.
struct SimulatedClients {
    private struct Client {
        var id: TransactionID
        var key: TransactionKey
        var reads: [CounterModel.Read] = []
        var commit: Commit?
    }

    private struct Commit {
        let ticket: CommitTicket
        let writes: [String: Int64?]
    }

    private struct Storing {
        /// `nil` for a writer outside of transactions.
        let client: Int?
        let commit: Commit
        let changes: [DocumentChange]
    }

    private var state: TransactionState
    private var generator: SeededGenerator
    private var model = CounterModel()
    private var clients: [Int: Client] = [:]
    private var writers: [Commit] = []
    private var storing: Storing?
    private(set) var committedCount = 0
    private(set) var abortedCount = 0
    private(set) var waitedCount = 0

    init(seed: UInt64) {
        self.generator = SeededGenerator(seed: seed)
        self.state = TransactionState(
            times: .documented,
            limits: TransactionLimits(documentLockCountMax: 4, queryLockCountMax: 3),
            randomness: SeededGenerator(seed: seed)
        )
    }

    mutating func run(stepCount: Int) throws {
        for _ in 0..<stepCount { try step() }
        try finish()
    }

    private mutating func step() throws {
        let number = Int.random(in: 0..<6, using: &generator)
        if storing != nil, generator.chance(40) { try endStoring() }
        if generator.chance(10) { try beginWriting() }
        try goOn()
        guard let client = clients[number] else { return try begin(number) }
        guard client.commit == nil else { return }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: try rollBack(number, client)
        case 1...3: try beginCommit(number, client)
        default: try read(number)
        }
    }

    private mutating func begin(_ number: Int, retrying former: Client? = nil) throws {
        let id = try state.begin(.readWrite(retrying: former?.id), in: demo, at: .zero)
        let key = try #require(state.book.record(id, in: demo)).key
        clients[number] = Client(id: id, key: key)
    }

    private mutating func rollBack(_ number: Int, _ client: Client) throws {
        try state.rollBack(client.id, in: demo, at: .zero)
        clients[number] = nil
    }

    private mutating func read(_ number: Int) throws {
        guard var client = clients[number] else { return }
        let name = generator.counterName()
        let bound = Int64.random(in: 0...9, using: &generator)
        let isQuery = generator.chance(40)
        let read = isQuery ? TransactionRead.query(try CounterModel.query(above: bound)) : .documents([try path(name)])
        let (key, reading) = try state.beginRead(
            in: client.id,
            of: demo,
            read: try ReadLocks(read, in: demo),
            at: .zero
        )
        guard case .latest(let gates) = reading else { return }
        if !gates.isEmpty {
            try endStoring()
            for gate in gates { gate.wait() }
        }
        client.reads.append(isQuery ? model.above(bound) : model.document(name))
        clients[number] = client
        state.endRead(in: key, at: .zero)
    }

    private mutating func beginWriting() throws {
        let writes = generator.counterWrites()
        let ticket = try state.admit(Set(try writes.keys.map { try path($0) }), in: demo)
        writers.append(Commit(ticket: ticket, writes: writes))
    }

    private mutating func beginCommit(_ number: Int, _ client: Client) throws {
        let writes = generator.counterWrites()
        let paths = Set(try writes.keys.map { try path($0) })
        let ticket = try state.admit(paths, of: client.id, in: demo, at: .zero)
        clients[number]?.commit = Commit(ticket: ticket, writes: writes)
    }

    /// Lets one commit try that does not wait.
    private mutating func goOn() throws {
        guard storing == nil else { return }
        var ready: [(client: Int?, commit: Commit)] = writers.map { (nil, $0) }
        ready += clients.sorted { $0.key < $1.key }.compactMap { number, client in client.commit.map { (number, $0) } }
        ready.removeAll { !state.blockers(of: $0.commit.ticket).isEmpty }
        guard !ready.isEmpty else { return }
        let (number, commit) = generator.pick(ready)
        do {
            let changes = try model.changes(commit.writes)
            if case .woken(.contention) = state.commits[commit.ticket]?.suspension {
                throw FirestoreError.contention
            }
            let former = overtaken
            try state.approach(commit.ticket, at: .zero)
            try state.validate(changes, of: commit.ticket, at: .zero)
            storing = Storing(client: number, commit: commit, changes: changes)
            for age in overtaken.subtracting(former) {
                #expect(age > state.age(of: commit.ticket), "nobody is overtaken by somebody younger")
            }
        } catch is CommitMustWait {
            waitedCount += 1
        } catch let error as FirestoreError {
            #expect(error == .contention)
            try lose(number, commit)
        }
    }

    /// The ages of those who can no longer commit.
    private var overtaken: Set<Int> {
        Set(clients.values.compactMap { state.book.record($0.id, in: demo) }.filter(\.isOvertaken).map(\.age))
    }

    private mutating func lose(_ number: Int?, _ commit: Commit) throws {
        abortedCount += 1
        let number = try #require(number, "a writer outside of transactions is never in a circle")
        let client = try #require(clients[number])
        state.finish(commit.ticket, as: .aborted)
        try begin(number, retrying: client)
    }

    private mutating func endStoring() throws {
        guard let stored = storing else { return }
        storing = nil
        for read in stored.client.flatMap({ clients[$0] })?.reads ?? [] {
            #expect(model.again(read) == read, "what it read is as it was")
        }
        model.apply(stored.commit.writes)
        state.learn(of: CommittedChanges(database: demo, commitTime: noon, content: .documents(stored.changes)))
        state.finish(stored.commit.ticket, as: .committed)
        if let number = stored.client { clients[number] = nil }
        writers.removeAll { $0.ticket == stored.commit.ticket }
        committedCount += 1
    }

    /// Ends read-only transactions; then all commits must get through.
    private mutating func finish() throws {
        for (number, client) in clients.sorted(by: { $0.key < $1.key }) where client.commit == nil {
            try rollBack(number, client)
        }
        var roundCount = 0
        while storing != nil || !writers.isEmpty || clients.values.contains(where: { $0.commit != nil }) {
            try endStoring()
            try goOn()
            // A retry begins again; here it gives up instead.
            for (number, client) in clients where client.commit == nil { try rollBack(number, client) }
            roundCount += 1
            try #require(roundCount < 1_000, "a commit waits forever")
        }
        #expect(state.locks.isEmpty)
        #expect(state.graph.count == 0)
        #expect(state.commits.isEmpty)
    }
}

extension TransactionState {
    fileprivate func blockers(of ticket: CommitTicket) -> Set<TransactionKey> { graph.blockers(of: ticket) }

    /// The age of what commits; a writer outside of transactions is as old as its waiting.
    fileprivate func age(of ticket: CommitTicket) -> Int {
        guard let commit = commits[ticket] else { return .max }
        return commit.transaction.flatMap { book[$0]?.age } ?? commit.waiting?.age ?? .max
    }
}
