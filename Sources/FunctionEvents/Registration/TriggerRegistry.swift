// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The triggers on documents, by project.
struct TriggerRegistry: Sendable {
    /// The largest number of triggers of all projects.
    ///
    /// A function that was changed is registered once more under another key, and its former key stays until an event
    /// finds it unknown: hence there is room for many loadings of all functions that a project may have.
    static let triggerCountMax = 10_000
    /// The time in which a trigger is kept though its function is unknown.
    ///
    /// The Functions emulator registers a function before it takes its calls.
    static let settlingTime = Duration.seconds(10)

    /// A trigger and its place in the order of registrations.
    struct Registration: Sendable {
        let trigger: DocumentTrigger
        let number: Int
        /// When it was registered; microseconds since the Unix epoch.
        let time: Int64
    }

    private struct Name: Hashable {
        let project: String
        let key: String
    }

    /// Where a trigger is found: under the collection that its pattern begins with, `nil` for a wildcard.
    private struct Place: Hashable {
        let project: String
        let collection: String?
    }

    private var registrations: [Place: [Registration]] = [:]
    private var places: [Name: Place] = [:]
    private var lastNumber = 0
    /// Those that were found with the Functions emulator, not registered.
    private var found: Set<Name> = []

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }

    /// Adds a trigger, in the place of one with its key.
    mutating func register(_ trigger: DocumentTrigger, project: String, at time: Int64) throws(TriggerFailure) {
        let name = Name(project: project, key: trigger.key)
        if let former = places[name] {
            remove(name, from: former)
        } else {
            guard count < Self.triggerCountMax else { throw .tooManyTriggers }
        }
        lastNumber += 1
        let place = Place(project: project, collection: trigger.pattern.firstLiteral)
        registrations[place, default: []].append(Registration(trigger: trigger, number: lastNumber, time: time))
        places[name] = place
    }

    /// Takes the triggers that were found in the place of those that were found before; too many are left out.
    mutating func replaceFound(with triggers: [DocumentTrigger], project: String, at time: Int64) {
        let names = Set(triggers.map { Name(project: project, key: $0.key) })
        for name in found.subtracting(names) {
            if let place = places[name] { remove(name, from: place) }
        }
        found = names
        for trigger in triggers where registered(Name(project: project, key: trigger.key)) != trigger {
            try? register(trigger, project: project, at: time)
        }
    }

    private func registered(_ name: Name) -> DocumentTrigger? {
        places[name].flatMap { registrations[$0] }?.first { $0.trigger.key == name.key }?.trigger
    }

    /// The triggers that a change runs, in the order of their registration.
    func matching(_ write: ChangedDocument, _ kind: DocumentEvent) -> [Registration] {
        guard !isEmpty else { return [] }
        let project = write.database.project
        let own = registrations[Place(project: project, collection: write.path.segments.first)] ?? []
        let wild = registrations[Place(project: project, collection: nil)] ?? []
        guard !(own.isEmpty && wild.isEmpty) else { return [] }
        return (own + wild).filter { $0.trigger.matches(write, kind) }.sorted { $0.number < $1.number }
    }

    /// Removes a trigger whose function is unknown, unless it was registered again or only just now, or is in the listing.
    mutating func drop(_ registration: Registration, project: String, at time: Int64) {
        let name = Name(project: project, key: registration.trigger.key)
        guard !found.contains(name), time - registration.time >= Self.settlingTime.components.seconds * 1_000_000,
            let place = places[name],
            registrations[place]?.contains(where: { $0.number == registration.number }) == true
        else { return }
        remove(name, from: place)
    }

    private mutating func remove(_ name: Name, from place: Place) {
        registrations[place]?.removeAll { $0.trigger.key == name.key }
        if registrations[place]?.isEmpty == true { registrations[place] = nil }
        places[name] = nil
    }
}
