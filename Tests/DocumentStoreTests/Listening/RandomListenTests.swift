// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Clients with random targets against random commits: at every snapshot each has what its queries give at that time.
@Suite(.timeLimit(.minutes(5)))
struct RandomListenTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `every snapshot is right`(seed: UInt64) async throws {
        // Small enough that streams are often too slow, and initial results often long.
        var limits = ListenLimits()
        limits.waitingChangeMax = seed.isMultiple(of: 3) ? 1_000 : 12
        limits.firstPartDocumentMax = 3
        limits.partDocumentMax = 7
        var scenario = try RandomListening(seed: seed, limits: limits)
        for _ in 0..<150 {
            try await scenario.step()
        }
        try await scenario.finish()
        #expect(scenario.client.snapshotCount > 30)
        #expect(scenario.client.comparedCount > 60)
        #expect(scenario.resumeCount > 2)
    }
}

/// One client, its stream and the world that changes.
private struct RandomListening {
    private let fixture: ListenFixture
    private var random: RandomQueries
    private var generator: SeededGenerator
    private(set) var client: ModelClient
    private var stream: ListenStream
    private var nextID: Int32 = 1
    private(set) var resumeCount = 0

    init(seed: UInt64, limits: ListenLimits) throws {
        self.fixture = try ListenFixture(limits: limits)
        self.random = try RandomQueries(seed: seed)
        self.generator = SeededGenerator(seed: seed)
        self.client = ModelClient(fixture.history)
        self.stream = fixture.hub.openStream(in: demo)
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<45: try commit()
        case 45..<60: try addTarget()
        case 60..<65: removeTarget()
        case 65..<67: fixture.advance(seconds: 20)
        case 67..<68: try fixture.store.deleteAll(in: demo)
        case 68..<72: try await resume()
        case 72..<85: try await pullOnce()
        default: try await settle()
        }
    }

    mutating func finish() async throws {
        try addTarget()
        try await settle()
    }

    private mutating func commit() throws {
        let sets = try random.documents(count: Int.random(in: 0...4, using: &generator))
        let deletions = try (0..<Int.random(in: 0...3, using: &generator)).map { _ in Write.delete(try random.path()) }
        _ = try fixture.store.commit(sets.map { .set($0.path, fields: $0.fields) } + deletions, in: demo)
    }

    private mutating func addTarget() throws {
        guard client.targets.count < 8 else { return removeTarget() }
        let content = try content()
        client.add(nextID, content)
        stream.add(ListenTarget(id: nextID, content, once: generator.chance(5)))
        nextID += 1
    }

    private mutating func content() throws -> ListenTarget.Content {
        guard generator.chance(85) else {
            return .documents(try (0..<Int.random(in: 1...4, using: &generator)).map { _ in try random.path() })
        }
        var query: Query
        repeat {
            query = try random.query()
        } while (try? query.validate()) == nil
        if generator.chance(40) {
            query = Query(
                generator.pick(["c", "d"]),
                orderBy: generator.chance(50) ? [Query.Ordering(try field("a"), .descending)] : [],
                limit: generator.pick([nil, 1, 3, 6])
            )
        }
        if generator.chance(15) { query.projection = DocumentMask([try field("a")]) }
        return .query(query)
    }

    private mutating func removeTarget() {
        guard let id = client.targets.filter({ !$0.value.isEnding }).keys.min() else { return }
        client.remove(id)
        stream.remove(id)
    }

    /// The connection breaks; the client comes back with what it has.
    private mutating func resume() async throws {
        try await settle()
        guard let token = client.token, let time = client.time else { return }
        stream.close()
        client.disconnect()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            try commit()
        }
        if generator.chance(10) { fixture.history.forget(before: Timestamp(microseconds: time.microseconds + 1)) }
        stream = fixture.hub.openStream(in: demo)
        for (id, target) in client.targets.sorted(by: { $0.key < $1.key }) {
            client.add(id, target.content)
            let start: ListenTarget.Start = generator.chance(70) ? .token(token) : .readTime(time)
            let count = generator.chance(70) ? target.documents.count : nil
            stream.add(ListenTarget(id: id, target.content, start: start, expectedCount: count))
        }
        stream.add(ListenTarget(id: 1_000, .documents([]), start: .token([1, 2, 3])))
        resumeCount += 1
    }

    /// The next events, half the time of a client that leaves to another what may block.
    private mutating func next() async throws -> [ListenEvent] {
        if generator.chance(50), let batch = try stream.pull(mayBlock: false), !batch.isEmpty { return batch.events }
        return try await stream.next()?.events ?? []
    }

    private mutating func pullOnce() async throws {
        guard !client.targets.isEmpty else { return }
        fixture.advance(seconds: 1)
        try fixture.hub.announceTime()
        client.apply(try await next())
    }

    /// Pulls until the client is up to date.
    private mutating func settle() async throws {
        if client.targets.isEmpty { try addTarget() }
        fixture.advance(seconds: 1)
        let present = try fixture.store.get([], in: demo).readTime
        while client.time.map({ $0 < present }) ?? true || !client.isUpToDate {
            if client.targets.isEmpty { try addTarget() }
            try fixture.hub.announceTime()
            client.apply(try await next())
        }
    }
}
