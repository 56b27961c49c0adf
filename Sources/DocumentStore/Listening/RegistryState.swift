// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A live result and its listeners.
struct ResultRegistration {
    let liveResult: LiveResult
    /// By how many of its targets each stream listens.
    private(set) var listeners: [ObjectIdentifier: (signal: StreamSignal, targetCount: Int)] = [:]

    init(_ liveResult: LiveResult) {
        self.liveResult = liveResult
    }

    mutating func add(_ signal: StreamSignal) {
        listeners[ObjectIdentifier(signal), default: (signal, 0)].targetCount += 1
    }

    mutating func remove(_ signal: StreamSignal) {
        let count = listeners[ObjectIdentifier(signal)]?.targetCount ?? 0
        listeners[ObjectIdentifier(signal)] = count > 1 ? (signal, count - 1) : nil
    }
}

/// The live results, where they belong, and the streams.
struct RegistryState {
    /// Views are found by what they are of, and by where the documents are that they are about.
    var liveResults: [ResultKey: LiveResult] = [:]
    var registrations: [ObjectIdentifier: ResultRegistration] = [:]
    private var places: [DatabaseID: [ResultPlace: Set<ObjectIdentifier>]] = [:]

    var streams: [ObjectIdentifier: StreamSignal] = [:]
    /// Streams that wait for a commit they have seen but not received.
    var impatient: [StreamSignal] = []
    var toldThrough = Timestamp(microseconds: .min)

    mutating func add(_ liveResult: LiveResult) -> LiveResult {
        liveResults[liveResult.key] = liveResult
        registrations[ObjectIdentifier(liveResult)] = ResultRegistration(liveResult)
        for place in ResultPlace.places(of: liveResult.subject) {
            places[liveResult.key.database, default: [:]][place, default: []].insert(ObjectIdentifier(liveResult))
        }
        return liveResult
    }

    mutating func forget(_ liveResult: LiveResult) {
        liveResults[liveResult.key] = nil
        registrations[ObjectIdentifier(liveResult)] = nil
        let database = liveResult.key.database
        for place in ResultPlace.places(of: liveResult.subject) {
            places[database]?[place]?.remove(ObjectIdentifier(liveResult))
            if places[database]?[place]?.isEmpty == true {
                places[database]?[place] = nil
            }
        }
        if places[database]?.isEmpty == true {
            places[database] = nil
        }
    }

    /// Views with what of a commit may concern them; `nil` where they have to read it from the store.
    func liveResults(concernedBy changes: CommittedChanges) -> [(ResultRegistration, UnevaluatedCommits.Content?)] {
        guard let places = places[changes.database] else { return [] }
        switch changes.content {
        case .everythingDeleted: return all(in: places).map { ($0, .everythingDeleted) }
        case .imported: return all(in: places).map { ($0, nil) }
        case .documents(let changes):
            var concerned: [ObjectIdentifier: [DocumentChange]] = [:]
            for change in changes {
                for id in ResultPlace.places(of: change.path).flatMap({ places[$0] ?? [] }) {
                    concerned[id, default: []].append(change)
                }
            }
            return concerned.compactMap { id, changes in
                registrations[id].map { ($0, .changes(changes)) }
            }
        }
    }

    private func all(in places: [ResultPlace: Set<ObjectIdentifier>]) -> [ResultRegistration] {
        places.values.reduce(into: Set()) { $0.formUnion($1) }.compactMap { registrations[$0] }
    }
}
