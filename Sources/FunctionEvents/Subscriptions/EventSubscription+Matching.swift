// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension EventSubscription {
    /// The events of a document's change that are sent.
    func events(of write: ChangedDocument, _ kind: DocumentEvent) -> [DocumentEventType] {
        guard bucket == nil, database.map({ $0 == write.database.database }) ?? true,
            document.map({ $0.matches(write.path) }) ?? true
        else { return [] }
        guard let types else { return [DocumentEventType(kind, .cloudEvent(isWithAuthContext: false))] }
        return EventTypes.documents.filter { $0.event.includes(kind) && types.contains($0.name) }
    }

    /// Whether the event of an object's change is sent.
    func wants(_ change: ObjectChange) -> Bool {
        isFreeOfDocuments && bucket.map { $0 == change.bucket } ?? true
            && types.map { $0.contains(change.kind.cloudEventType) } ?? true
    }

    /// Whether the event of a user is sent.
    func wants(_ event: UserEvent) -> Bool {
        isFreeOfDocuments && bucket == nil && types.map { $0.contains(event.cloudEventType) } ?? true
    }

    private var isFreeOfDocuments: Bool { document == nil && database == nil }
}
