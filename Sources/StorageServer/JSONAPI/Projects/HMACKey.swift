// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import ObjectStore

/// A key of a service account by which requests to the XML API are signed.
struct HMACKey: Codable, Sendable {
    enum State: String, Codable {
        case active = "ACTIVE"
        case inactive = "INACTIVE"
        case deleted = "DELETED"
    }

    private static let kind = "hmacKey"
    private static let idCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    // "GOOG1E" and 55 characters, as for service accounts in production.
    private static let idCharacterCount = 55
    private static let secretByteCount = 30

    let id: String
    let secret: String
    let project: String
    let email: String
    let timeCreated: Int64
    var updated: Int64
    var state = State.active

    /// Makes a key.
    init(project: String, email: String, now: Int64) {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<Self.idCharacterCount).map { _ in
            Self.idCharacters[Int.random(in: 0..<Self.idCharacters.count, using: &generator)]
        }
        id = "GOOG1E" + String(characters)
        let bytes = (0..<Self.secretByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        secret = Data(bytes).base64EncodedString()
        self.project = project
        self.email = email
        timeCreated = now
        updated = now
    }

    /// All the keys of all projects.
    static func all(in store: SQLiteObjectStore) throws -> [HMACKey] {
        try store.records(kind).map(HMACKey.init)
    }

    /// The key of an access id; `nil` when there is none.
    static func find(_ id: String, in store: SQLiteObjectStore) throws -> HMACKey? {
        try store.record(id, kind: kind).map(HMACKey.init)
    }

    private init(_ record: SQLiteObjectStore.ServerRecord) throws {
        self = try JSONDecoder().decode(HMACKey.self, from: Data(record.text.utf8))
    }

    /// Stores the key in place of the one of its name; returns it.
    func stored(in store: SQLiteObjectStore) throws -> HMACKey {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        try store.put(SQLiteObjectStore.ServerRecord(id: id, text: text), kind: Self.kind)
        return self
    }

    /// A tag that changes with each change of the key.
    var etag: String { Data("\(updated)".utf8).base64EncodedString() }

    /// The key as the JSON API describes it, without its secret.
    func resource(origin: String) -> JSONText {
        .object([
            ("kind", "storage#hmacKeyMetadata"),
            ("id", .string("\(project)/\(id)")),
            ("selfLink", .string("\(origin)/storage/v1/projects/\(project)/hmacKeys/\(id)")),
            ("accessId", .string(id)),
            ("projectId", .string(project)),
            ("serviceAccountEmail", .string(email)),
            ("state", .string(state.rawValue)),
            ("timeCreated", .time(microseconds: timeCreated)),
            ("updated", .time(microseconds: updated)),
            ("etag", .string(etag)),
        ])
    }
}
