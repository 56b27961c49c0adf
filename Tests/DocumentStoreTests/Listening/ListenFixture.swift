// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers

@testable import DocumentStore
@testable import FirestoreModel

/// A store with listeners, a past and a clock that is advanced by the test.
struct ListenFixture {
    let store: SQLiteDocumentStore
    let history = RecordedHistory()
    let hub: ListenHub
    private let now = NIOLockedValueBox(noon)

    init(
        location: StoreLocation = .memory,
        limits: ListenLimits = ListenLimits(),
        durability: StoreDurability = .deferred,
        indexLimits: IndexLimits = IndexLimits(),
        firstObserver: (any ChangeObserving)? = nil
    ) throws {
        self.store = try SQLiteDocumentStore(
            location: location,
            clock: { [now] in now.withLockedValue(\.self) },
            durability: durability,
            indexLimits: indexLimits
        )
        if let firstObserver { store.addObserver(firstObserver) }
        store.addObserver(history)
        self.hub = try ListenHub(store: store, history: history, limits: limits)
    }

    func advance(seconds: Int64) {
        now.withLockedValue { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
    }

    func set(_ text: String, _ number: Int64, in database: DatabaseID = demo) throws {
        try store.put(text, ["n": .integer(number)], in: database)
    }

    func delete(_ text: String) throws {
        _ = try store.commit([.delete(path(text))], in: demo)
    }

    /// A stream with targets of ids 1, 2, …, pulled until it is up to date.
    func open(_ contents: ListenTarget.Content...) async throws -> ListenStream {
        let stream = hub.openStream(in: demo)
        for (index, content) in contents.enumerated() {
            stream.add(ListenTarget(id: Int32(index + 1), content))
        }
        var currentCount = 0
        while currentCount < contents.count {
            for case .targetCurrent in try await stream.next()?.events ?? [] {
                currentCount += 1
            }
        }
        return stream
    }

    /// All events of a stream with a target; ends with a snapshot of the present.
    func settle(_ stream: ListenStream) async throws -> ListenBatch {
        advance(seconds: 1)
        try hub.announceTime()
        let present = now.withLockedValue(\.self)
        var all = ListenBatch()
        while all.lastSnapshot.map({ $0 < present }) ?? true {
            guard let batch = try await stream.next() else { break }
            all.append(contentsOf: batch.events)
            for bill in batch.bills { all.bill(bill.readCount, to: bill.target) }
        }
        return all
    }

    /// As short texts.
    func told(_ stream: ListenStream) async throws -> [String] {
        try await settle(stream).texts
    }
}

extension ListenBatch {
    var lastSnapshot: Timestamp? {
        guard case .snapshot(_, let time) = events.last else { return nil }
        return time
    }

    var lastToken: [UInt8]? {
        guard case .snapshot(let token, _) = events.last else { return nil }
        return token
    }

    var texts: [String] { events.map(\.text) }
}

extension ListenEvent {
    var text: String {
        switch self {
        case .targetAdded(let id): "ADD \(id)"
        case .targetRemoved(let id, nil): "REMOVE \(id)"
        case .targetRemoved(let id, let cause?): "REMOVE \(id) \(cause.code.rawValue): \(cause.message)"
        case .targetCurrent(let id, _, _): "CURRENT \(id)"
        case .targetReset(let id): "RESET \(id)"
        case .documentChanged(let document, let targets, let removed):
            "\(document.path)=\((try? document.fields)?["n"].map { "\($0)" } ?? "") \(targets)"
                .replacing("integer(", with: "").replacing(")", with: "") + (removed.isEmpty ? "" : " -\(removed)")
        case .documentDeleted(let path, _, let removed): "\(path) deleted -\(removed)"
        case .documentRemoved(let path, _, let removed): "\(path) removed -\(removed)"
        case .existenceFilter(let id, let count, let names): "FILTER \(id) \(count)\(names == nil ? "" : " names")"
        case .snapshot: "SNAPSHOT"
        }
    }
}

extension ListenTarget.Content {
    /// The documents of a root collection.
    static func collection(
        _ id: String,
        where filter: Filter? = nil,
        orderBy: [Query.Ordering] = [],
        limit: Int? = nil
    ) -> ListenTarget.Content {
        .query(Query(id, where: filter, orderBy: orderBy, limit: limit))
    }
}

func isAtLeast(_ number: Int64) throws -> Filter {
    .field(try field("n"), .greaterThanOrEqual, .integer(number))
}

extension ListenBatch {
    /// Document reads to bill, by target.
    var billedReads: [Int32: Int] { Dictionary(uniqueKeysWithValues: bills.map { ($0.target, $0.readCount) }) }
}
