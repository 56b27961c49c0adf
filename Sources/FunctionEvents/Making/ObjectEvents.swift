// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Makes the events of an object's change.
///
/// Source: firebase-tools 15.28.1, `src/emulator/storage/cloudFunctions.ts`; but an event's id is unique here in
/// generation 1, too, where the official emulator takes the millisecond.
struct ObjectEvents {
    let change: ObjectChange
    let id: String

    private static let service = "storage.googleapis.com"

    private var resourceName: String { "projects/_/buckets/\(change.bucket)/objects/\(change.name)" }

    /// The event for functions of generation 1.
    var legacy: EventContent {
        let resource: [(String, JSONText)] = [
            ("service", .string(Self.service)), ("name", .string(resourceName)), ("type", "storage#object"),
        ]
        return EventContent(
            json: .object([
                ("eventId", .string(id)), ("timestamp", .string(change.updated)),
                ("eventType", .string(change.kind.legacyType)), ("resource", .object(resource)),
                ("data", change.resource()),
            ])
        )
    }

    /// The event for functions of generation 2, as the Functions emulator takes it: in CloudEvents' structured mode.
    var official: EventContent {
        EventContent(
            json: .object([
                ("specversion", "1.0"), ("id", .string(id)), ("type", .string(change.kind.cloudEventType)),
                ("source", .string("//\(Self.service)/\(resourceName)")), ("time", .string(change.updated)),
                ("data", change.resource()),
            ]),
            contentType: "application/cloudevents+json; charset=UTF-8"
        )
    }

    /// The event that any other service takes, with production's source and subject.
    ///
    /// Source: cloud.google.com/eventarc/docs/run/route-trigger-cloud-storage (2026-11).
    var plain: EventContent {
        let event = CloudEvent(
            id: id,
            type: change.kind.cloudEventType,
            source: "//\(Self.service)/projects/_/buckets/\(change.bucket)",
            subject: "objects/\(change.name)",
            time: change.updated,
            contentType: EventContent.json,
            attributes: [("bucket", change.bucket)]
        )
        return EventContent(headers: event.headers, body: Array(change.resource().rendered(isIndented: false).utf8))
    }
}
