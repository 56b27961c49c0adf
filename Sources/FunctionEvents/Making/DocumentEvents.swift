// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation
import JSON

/// Makes the events of a document's change.
///
/// Sources: the official emulator of Firestore, 1.22.0 (recorded 2026-11), and firebase-functions 7.2. The official
/// emulator doubles `projects/` in the source of its events; production does not.
struct DocumentEvents {
    let write: ChangedDocument
    let id: String
    /// The region that events name.
    let location: String

    private static let service = "firestore.googleapis.com"
    private static let schema =
        "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"

    /// The event that the Functions emulator takes for a trigger.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func official(_ type: DocumentEventType) throws -> EventContent {
        switch type.form {
        case .legacy: try legacy(type)
        case .cloudEvent(let isWithAuthContext):
            // The Functions emulator decodes base 64 before it calls the function.
            EventContent(
                headers: cloudEvent(type, isWithAuthContext: isWithAuthContext).headers,
                body: Array(Data(try write.message).base64EncodedString().utf8)
            )
        }
    }

    /// The event that any other service takes, such as a function of the Functions Framework.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func plain(_ type: DocumentEventType) throws -> EventContent {
        let isWithAuthContext = type.form == .cloudEvent(isWithAuthContext: true)
        return EventContent(
            headers: cloudEvent(type, isWithAuthContext: isWithAuthContext).headers,
            body: try write.message
        )
    }

    private func legacy(_ type: DocumentEventType) throws -> EventContent {
        let mask = try write.changedPaths.map { paths in
            JSONText.object([("fieldPaths", .array(paths.map(JSONText.string)))])
        }
        let data = JSONText.object(compacting: [
            ("value", try write.after?.json(in: write.database)),
            ("oldValue", try write.before?.json(in: write.database)), ("updateMask", mask),
        ])
        let resource: [(String, JSONText)] = [
            ("name", .string("\(write.database.documentsName)/\(write.path)")), ("service", .string(Self.service)),
        ]
        let context: [(String, JSONText)] = [
            ("eventId", .string(id)), ("timestamp", .string(EventTime.text(write.commitTime))),
            ("eventType", .string(type.name)), ("resource", .object(resource)),
        ]
        return EventContent(json: .object([("data", data), ("context", .object(context))]))
    }

    private func cloudEvent(_ type: DocumentEventType, isWithAuthContext: Bool) -> CloudEvent {
        var attributes: [(name: String, value: String)] = [
            ("dataschema", Self.schema), ("location", location), ("project", write.database.project),
            ("database", write.database.database), ("namespace", DocumentTrigger.defaultNamespace),
            ("document", write.path.description),
        ]
        if isWithAuthContext {
            attributes.append(("authtype", write.principal.kind.rawValue))
            if let id = write.principal.id { attributes.append(("authid", id)) }
        }
        return CloudEvent(
            id: id,
            type: type.name,
            source: "//\(Self.service)/\(write.database.name)",
            subject: "documents/\(write.path)",
            time: EventTime.text(write.commitTime),
            contentType: "application/protobuf",
            attributes: attributes
        )
    }
}
