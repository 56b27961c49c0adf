// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// A client as SDKs are: applies a stream's events, and expects to be right at every snapshot.
struct ModelClient {
    /// A target as the client sees it.
    struct Target {
        let content: ListenTarget.Content
        var documents: [DocumentPath: Document] = [:]
        var isAdded = false
        var isCurrent = false
        /// Whether its removal was asked for and is not confirmed yet.
        var isEnding = false
    }

    private let history: RecordedHistory
    private(set) var targets: [Int32: Target] = [:]
    private(set) var token: [UInt8]?
    private(set) var time: Timestamp?
    private(set) var snapshotCount = 0
    private(set) var comparedCount = 0

    init(_ history: RecordedHistory) {
        self.history = history
    }

    /// Asks for a target, from where it was.
    mutating func add(_ id: Int32, _ content: ListenTarget.Content) {
        targets[id] = Target(content: content, documents: targets[id]?.documents ?? [:])
    }

    /// Asks for a target's end.
    mutating func remove(_ id: Int32) {
        targets[id]?.isEnding = true
    }

    /// The connection is gone, and with it the targets that were ending.
    mutating func disconnect() {
        targets = targets.filter { !$0.value.isEnding }
    }

    var isUpToDate: Bool { targets.values.allSatisfy { $0.isCurrent && !$0.isEnding } }

    mutating func apply(_ events: [ListenEvent]) {
        for event in events {
            apply(event)
        }
    }

    private mutating func apply(_ event: ListenEvent) {
        switch event {
        case .targetAdded(let id):
            #expect(targets[id]?.isAdded == false, "one ADD for each target")
            targets[id]?.isAdded = true
        case .targetRemoved(let id, _): targets[id] = nil
        case .targetReset(let id):
            targets[id]?.documents = [:]
            targets[id]?.isCurrent = false
        case .targetCurrent(let id, _, _): targets[id]?.isCurrent = true
        case .documentChanged(let document, let ids, let removed):
            #expect(ids.allSatisfy { targets[$0]?.isAdded == true })
            for id in ids {
                targets[id]?.documents[document.path] = document
            }
            remove(document.path, from: removed)
        case .documentDeleted(let path, _, let removed), .documentRemoved(let path, _, let removed):
            remove(path, from: removed)
        case .existenceFilter(let id, let count, let names): check(count, names, id)
        case .snapshot(let token, let time):
            #expect(self.time.map { $0 <= time } ?? true, "snapshots go forward")
            self.token = token
            self.time = time
            snapshotCount += 1
            compare(at: time)
        }
    }

    private mutating func remove(_ path: DocumentPath, from ids: [Int32]) {
        for id in ids {
            targets[id]?.documents[path] = nil
        }
    }

    private func check(_ count: Int, _ names: BloomFilter?, _ id: Int32) {
        guard let target = targets[id] else { return }
        #expect(target.documents.count == count)
        if let names {
            #expect(target.documents.keys.allSatisfy { names.mightContain("\(demo.documentsName)/\($0)") })
        }
    }

    private mutating func compare(at time: Timestamp) {
        let documents = history.documents(of: demo, asOf: time)
        let reference = ReferenceQueries(database: demo, documents: documents)
        for (id, target) in targets where target.isCurrent && !target.isEnding {
            let expected: [Document]
            switch target.content {
            case .query(let query): expected = reference.run(query).compactMap { try? $0.selecting(query.projection) }
            case .documents(let paths): expected = documents.filter { paths.contains($0.path) }
            case .refused: expected = []
            }
            comparedCount += 1
            let found = Array(target.documents.values)
            guard expected.count == found.count, expected.allSatisfy({ target.documents[$0.path] == $0 }) else {
                let paths = (expected.map(\.path.description).sorted(), found.map(\.path.description).sorted())
                Issue.record("target \(id) \(target.content) should have \(paths.0) but has \(paths.1)")
                return
            }
        }
    }
}
