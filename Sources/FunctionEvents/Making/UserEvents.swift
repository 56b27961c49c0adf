// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Whether a user was created or deleted.
enum UserEvent: String, Sendable, CaseIterable {
    case create
    case delete

    /// The type for functions.
    var legacyType: String { "providers/firebase.auth/eventTypes/user.\(rawValue)" }
    /// The type in CloudEvents.
    var cloudEventType: String { "google.firebase.auth.user.v1.\(rawValue)d" }
}

/// Makes the events of a user's creation and deletion.
struct UserEvents {
    let event: UserEvent
    let user: EventUser
    let project: String
    let id: String
    /// Milliseconds since the Unix epoch.
    let time: Int64

    private static let service = "firebaseauth.googleapis.com"

    /// The event as the Functions emulator takes it.
    ///
    /// Source: firebase-tools 15.28.1, `src/emulator/auth/cloudFunctions.ts`.
    var official: EventContent {
        let resource: [(String, JSONText)] = [
            ("name", .string("projects/\(project)")), ("service", .string(Self.service)),
        ]
        return EventContent(
            json: .object([
                ("eventId", .string(id)), ("eventType", .string(event.legacyType)), ("resource", .object(resource)),
                ("params", .object([])), ("timestamp", .string(EventTime.text(milliseconds: time))),
                ("data", user.legacyJSON),
            ])
        )
    }

    /// The event as Eventarc sends it.
    ///
    /// Source: googleapis/google-cloudevents, `proto/google/events/firebase/auth/v1/data.proto`.
    var plain: EventContent {
        let cloudEvent = CloudEvent(
            id: id,
            type: event.cloudEventType,
            source: "//\(Self.service)/projects/\(project)",
            subject: "users/\(user.uid)",
            time: EventTime.text(milliseconds: time),
            contentType: EventContent.json,
            attributes: []
        )
        return EventContent(
            headers: cloudEvent.headers,
            body: Array(user.cloudEventJSON.rendered(isIndented: false).utf8)
        )
    }
}

extension EventUser {
    /// The user as functions of generation 1 read it.
    fileprivate var legacyJSON: JSONText {
        .object(
            compacting: base(creation: "creationTime", lastSignIn: "lastSignInTime", \.legacyJSON) + [
                ("tenantId", tenantID.map(JSONText.string)), ("mfaInfo", secondFactors),
            ]
        )
    }

    fileprivate var cloudEventJSON: JSONText {
        .object(compacting: base(creation: "createTime", lastSignIn: "lastSignInTime", \.cloudEventJSON))
    }

    private func base(
        creation: String,
        lastSignIn: String,
        _ providerJSON: (EventProvider) -> JSONText
    ) -> [(String, JSONText?)] {
        let metadata: [(String, JSONText?)] = [
            (creation, createdAt.map(EventTime.text(milliseconds:)).map(JSONText.string)),
            (lastSignIn, lastLoginAt.map(EventTime.text(milliseconds:)).map(JSONText.string)),
        ]
        return [
            ("uid", .string(uid)), ("email", email.map(JSONText.string)),
            ("emailVerified", isEmailVerified.map(JSONText.boolean)), ("displayName", displayName.map(JSONText.string)),
            ("photoURL", photoURL.map(JSONText.string)), ("phoneNumber", phoneNumber.map(JSONText.string)),
            ("disabled", isDisabled.map(JSONText.boolean)), ("metadata", .object(compacting: metadata)),
            ("customClaims", .verbatim(customClaims ?? "{}")),
            ("providerData", providers.map { .array($0.map(providerJSON)) }),
        ]
    }
}

extension EventProvider {
    fileprivate var legacyJSON: JSONText {
        .object(compacting: [
            ("rawId", .string(rawID)), ("providerId", .string(providerID)),
            ("displayName", displayName.map(JSONText.string)), ("email", email.map(JSONText.string)),
            ("federatedId", federatedID.map(JSONText.string)), ("phoneNumber", phoneNumber.map(JSONText.string)),
            ("photoURL", photoURL.map(JSONText.string)), ("screenName", screenName.map(JSONText.string)),
        ])
    }

    fileprivate var cloudEventJSON: JSONText {
        .object(compacting: [
            ("uid", .string(rawID)), ("displayName", displayName.map(JSONText.string)),
            ("email", email.map(JSONText.string)), ("photoURL", photoURL.map(JSONText.string)),
            ("providerId", .string(providerID)),
        ])
    }
}
