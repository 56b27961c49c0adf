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
    /// In RFC 3339.
    let time: String

    private static let service = "storage.googleapis.com"

    private var resourceName: String { "projects/_/buckets/\(change.bucket)/objects/\(change.name)" }

    private var subject: String { "objects/\(change.name)" }

    /// The event for functions of generation 1.
    var legacy: EventContent {
        let resource: [(String, JSONText)] = [
            ("service", .string(Self.service)), ("name", .string(resourceName)), ("type", "storage#object"),
        ]
        return EventContent(
            json: .object([
                ("eventId", .string(id)), ("timestamp", .string(time)),
                ("eventType", .string(change.kind.legacyType)), ("resource", .object(resource)),
                ("data", change.resource()),
            ])
        )
    }

    /// The event for functions of generation 2, as the Functions emulator takes it: in CloudEvents' structured mode.
    ///
    /// It has production's subject and bucket besides, which the official emulator leaves out: functions read
    /// `event.bucket` (firebase-functions 7.3.2, `src/v2/providers/storage.ts`).
    var official: EventContent {
        EventContent(
            json: .object([
                ("specversion", "1.0"), ("id", .string(id)), ("type", .string(change.kind.cloudEventType)),
                ("source", .string("//\(Self.service)/\(resourceName)")), ("subject", .string(subject)),
                ("time", .string(time)), ("bucket", .string(change.bucket)), ("data", change.resource()),
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
            subject: subject,
            time: time,
            contentType: EventContent.json,
            attributes: [("bucket", change.bucket)]
        )
        return EventContent(headers: event.headers, body: Array(change.resource().rendered(isIndented: false).utf8))
    }
}
