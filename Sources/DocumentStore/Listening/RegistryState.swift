// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A view and its listeners.
struct ViewRegistration {
    let view: SharedView
    /// By how many of its targets each stream listens.
    private(set) var listeners: [ObjectIdentifier: (signal: StreamSignal, targetCount: Int)] = [:]

    init(_ view: SharedView) {
        self.view = view
    }

    mutating func add(_ signal: StreamSignal) {
        listeners[ObjectIdentifier(signal), default: (signal, 0)].targetCount += 1
    }

    mutating func remove(_ signal: StreamSignal) {
        let count = listeners[ObjectIdentifier(signal)]?.targetCount ?? 0
        listeners[ObjectIdentifier(signal)] = count > 1 ? (signal, count - 1) : nil
    }
}

/// The views, where they belong, and the streams.
struct RegistryState {
    /// Views are found by what they are of, and by where the documents are that they are about.
    var views: [ViewKey: SharedView] = [:]
    var registrations: [ObjectIdentifier: ViewRegistration] = [:]
    private var places: [DatabaseID: [ViewPlace: Set<ObjectIdentifier>]] = [:]

    var streams: [ObjectIdentifier: StreamSignal] = [:]
    /// Streams that wait for a commit they have seen but not received.
    var impatient: [StreamSignal] = []
    var toldThrough = Timestamp(microseconds: .min)

    mutating func add(_ view: SharedView) -> SharedView {
        views[view.key] = view
        registrations[ObjectIdentifier(view)] = ViewRegistration(view)
        for place in ViewPlace.places(of: view.subject) {
            places[view.key.database, default: [:]][place, default: []].insert(ObjectIdentifier(view))
        }
        return view
    }

    mutating func forget(_ view: SharedView) {
        views[view.key] = nil
        registrations[ObjectIdentifier(view)] = nil
        let database = view.key.database
        for place in ViewPlace.places(of: view.subject) {
            places[database]?[place]?.remove(ObjectIdentifier(view))
            if places[database]?[place]?.isEmpty == true {
                places[database]?[place] = nil
            }
        }
        if places[database]?.isEmpty == true {
            places[database] = nil
        }
    }

    /// Views with what of a commit may concern them.
    func views(concernedBy changes: CommittedChanges) -> [(ViewRegistration, UnevaluatedCommits.Content)] {
        guard let places = places[changes.database] else { return [] }
        switch changes.content {
        case .everythingDeleted:
            let all = places.values.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1) }
            return all.compactMap { registrations[$0] }.map { ($0, .everythingDeleted) }
        case .documents(let changes):
            var concerned: [ObjectIdentifier: [DocumentChange]] = [:]
            for change in changes {
                for id in ViewPlace.places(of: change.path).flatMap({ places[$0] ?? [] }) {
                    concerned[id, default: []].append(change)
                }
            }
            return concerned.compactMap { id, changes in
                registrations[id].map { ($0, .changes(changes)) }
            }
        }
    }
}
