// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

extension FunctionEvents {
    /// Whether a document's change may be of interest, so that callers need not describe it.
    package var watchesDocuments: Bool {
        state.withLockedValue { $0.isEnabled && !($0.registry.isEmpty && subscribers.isEmpty) }
    }

    /// Sends the events of a document's change.
    package func documentChanged(_ write: ChangedDocument) {
        guard watchesDocuments, let kind = write.kind else { return }
        runTriggers(on: write, kind)
        for subscriber in subscribers {
            for type in subscriber.subscription.events(of: write, kind) { send(write, type, to: subscriber) }
        }
    }

    /// Sends the events of an object's change: one for each generation of functions.
    package func objectChanged(_ change: ObjectChange) {
        guard isEnabled else { return }
        let time = change.kind.isRemoval ? EventTime.text(milliseconds: clock.microseconds() / 1_000) : change.updated
        let events = ObjectEvents(change: change, id: makeID(), time: time)
        let subject = "\(change.bucket)/\(change.name)"
        multicast(change.kind.legacyType, subject, project: change.project) { events.legacy }
        multicast(change.kind.cloudEventType, subject, project: change.project) { events.official }
        for subscriber in subscribers where subscriber.subscription.wants(change) {
            send(subject: "objects/\(subject)", to: subscriber) { events.plain }
        }
    }

    /// Sends the events of a user's creation, other than by an import.
    package func userCreated(_ user: EventUser, project: String) { userChanged(.create, user, project: project) }

    /// Sends the events of a user's deletion, other than with all others.
    package func userDeleted(_ user: EventUser, project: String) { userChanged(.delete, user, project: project) }

    private func userChanged(_ event: UserEvent, _ user: EventUser, project: String) {
        guard isEnabled else { return }
        let time = clock.microseconds() / 1_000
        let events = UserEvents(event: event, user: user, project: project, id: makeID(), time: time)
        multicast(event.legacyType, "\(user.tenantID ?? "")/\(user.uid)", project: project) { events.official }
        for subscriber in subscribers where subscriber.subscription.wants(event) {
            send(subject: "users/\(project)/\(user.uid)", to: subscriber) { events.plain }
        }
    }

    private func runTriggers(on write: ChangedDocument, _ kind: DocumentEvent) {
        guard let address = destinations.functions else { return }
        for registration in state.withLockedValue({ $0.registry.matching(write, kind) }) {
            let trigger = registration.trigger
            let project = write.database.project
            functions.send(
                Delivery(
                    lane: Delivery.Lane(function: trigger.function, subject: "\(write.database)/\(write.path)"),
                    function: trigger.function,
                    url: address.trigger(trigger.key, project: project),
                    byteCount: write.byteCount,
                    make: { [makeID, destinations] in
                        try DocumentEvents(write: write, id: makeID(), location: destinations.location)
                            .official(trigger.type)
                    },
                    onMissing: { [weak self] in self?.drop(registration, project: project) }
                )
            )
        }
    }

    private func send(_ write: ChangedDocument, _ type: DocumentEventType, to subscriber: Subscriber) {
        send(subject: "\(write.database)/\(write.path)", byteCount: write.byteCount, to: subscriber) {
            [makeID, destinations] in
            try DocumentEvents(write: write, id: makeID(), location: destinations.location).plain(type)
        }
    }

    /// Sends an event of which the Functions emulator knows the functions.
    private func multicast(
        _ type: String,
        _ subject: String,
        project: String,
        _ make: @escaping @Sendable () throws -> EventContent
    ) {
        guard let address = destinations.functions, destinations.functionsProject.map({ $0 == project }) ?? true,
            state.withLockedValue({ $0.foreignProject == nil })
        else { return }
        functions.send(
            Delivery(
                lane: Delivery.Lane(function: project, subject: subject),
                function: type,
                url: address.multicast(project: project),
                byteCount: Self.multicastByteCount,
                make: make
            )
        )
    }

    private func send(
        subject: String,
        byteCount: Int = FunctionEvents.multicastByteCount,
        to subscriber: Subscriber,
        _ make: @escaping @Sendable () throws -> EventContent
    ) {
        let url = subscriber.subscription.url
        subscriber.dispatcher.send(
            Delivery(
                lane: Delivery.Lane(function: url, subject: subject),
                function: url,
                url: url,
                byteCount: byteCount,
                make: make
            )
        )
    }

    /// The memory that an event of a user or an object holds, about.
    private static var multicastByteCount: Int { 4_096 }
}
