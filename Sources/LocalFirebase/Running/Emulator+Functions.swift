// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import ConsoleServer
import DocumentStore
import FirestoreServer
import FunctionEvents
import HTTPTypes
import JSON
import ObjectStore
import StorageServer

extension EmulatorRooms {
    /// Sends changes of data to functions from now on; `nil` where there are no functions to call.
    func sendEvents(
        as configuration: EmulatorConfiguration,
        _ listening: ListeningPorts,
        report: @escaping @Sendable (String) -> Void
    ) -> FunctionEvents? {
        var destinations = configuration.events
        guard destinations.functions != nil || !destinations.subscriptions.isEmpty else { return nil }
        destinations.functionsProject = project
        let events = FunctionEvents(
            destinations,
            clock: EventClock(microseconds: configuration.now),
            report: report
        )
        documents.addObserver(DocumentEventSource(events))
        objects.observe { [project] event in
            events.objectChanged(event.change(in: project) { listening.service(.storage)?.authority ?? "" })
        }
        accounts?.observe { event in
            switch event.kind {
            case .created: events.userCreated(EventUser(event.account), project: event.scope.project)
            case .deleted: events.userDeleted(EventUser(event.account), project: event.scope.project)
            }
        }
        return events
    }
}

extension FunctionEvents {
    /// Switches functions on and off.
    var switched: HubServer.TriggerSwitch {
        { [self] isOn in
            if isOn { enable() } else { disable() }
        }
    }

    /// Registers functions for changes of documents.
    func answer(_ request: EmulatorRequest) -> (status: Int, body: [UInt8])? {
        answer(method: request.head.method.rawValue, target: request.target, body: request.body).map {
            ($0.status, $0.body)
        }
    }
}

/// Reports commits to functions.
private final class DocumentEventSource: ChangeObserving {
    private let events: FunctionEvents

    init(_ events: FunctionEvents) { self.events = events }

    func didCommit(_ changes: CommittedChanges) {
        guard case .documents(let documents) = changes.content, events.watchesDocuments else { return }
        for change in documents {
            events.documentChanged(
                ChangedDocument(
                    database: changes.database,
                    path: change.path,
                    before: change.before,
                    after: change.after,
                    commitTime: changes.commitTime,
                    principal: EventPrincipal(changes.committer)
                )
            )
        }
    }
}

extension EventPrincipal {
    /// The kind of users is that of production, which has none of their own: they are known by their id
    /// (github.com/firebase/firebase-tools/issues/7609, 2024-08).
    fileprivate init(_ committer: Committer?) {
        switch committer {
        case nil: self = .unknown
        case .administrator: self.init(.serviceAccount)
        case .user(let id): self.init(.unknown, id: id)
        case .anonymous: self.init(.unauthenticated)
        }
    }
}

extension ObjectEvent {
    fileprivate func change(
        in project: String,
        authority: @escaping @Sendable () -> String
    ) -> ObjectChange {
        let kind: ObjectChange.Kind =
            switch self.kind {
            case .finalized: .finalize
            case .metadataUpdated: .metadataUpdate
            case .deleted: .delete
            case .archived: .archive
            }
        return ObjectChange(
            kind,
            project: project,
            bucket: object.path.bucket.description,
            name: object.name.description,
            updated: object.eventTime,
            resource: object.eventResource(origin: "http://\(authority())")
        )
    }
}

extension EventUser {
    fileprivate init(_ account: Account) {
        self.init(uid: account.localID)
        (email, isEmailVerified) = (account.email, account.isEmailVerified)
        (displayName, photoURL, phoneNumber) = (account.displayName, account.photoURL, account.phoneNumber)
        (isDisabled, customClaims, tenantID) = (account.isDisabled, account.customAttributes, account.tenantID)
        (createdAt, lastLoginAt) = (account.createdAt, account.lastLoginAt)
        providers = account.providers?.map(EventProvider.init)
        secondFactors = account.secondFactors.map { .array($0.map(\.json)) }
    }
}

extension EventProvider {
    fileprivate init(_ provider: LinkedProvider) {
        self.init(providerID: provider.providerID, rawID: provider.rawID)
        (federatedID, email, displayName) = (provider.federatedID, provider.email, provider.displayName)
        (photoURL, phoneNumber, screenName) = (provider.photoURL, provider.phoneNumber, provider.screenName)
    }
}
