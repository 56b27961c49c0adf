// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import Foundation
import JSON
import Wire

/// The documents that there are in trials of rules, kept in memory.
struct TrialDocuments {
    /// That of documents that are given.
    static let database = DatabaseID(project: "demo-rules")

    let store: SQLiteDocumentStore
    let database: DatabaseID

    /// The documents of a store's database.
    init(store: SQLiteDocumentStore, database: DatabaseID) { (self.store, self.database) = (store, database) }

    /// Stores documents.
    ///
    /// - Parameter documents: An object of paths with objects of fields.
    /// - Throws: `EmulatorError` for a document that cannot be.
    init(_ documents: JSONValue) throws(EmulatorError) {
        database = Self.database
        do {
            store = try SQLiteDocumentStore(location: .memory) { Timestamp(microseconds: SystemClock.microseconds()) }
            for (path, fields) in documents.members {
                let path = try DocumentPath(parsing: path)
                _ = try store.commit([.set(path, fields: fields.documentFields)], in: Self.database)
            }
        } catch {
            throw .badTrial(error)
        }
    }

    var surroundings: Surroundings { Surroundings(store: store, database: database) }
}

extension EmulatorError {
    static func badTrial(_ error: any Error) -> Self {
        Self(code: .badData, description: (error as? FirestoreError)?.message ?? "\(error)")
    }
}

extension Caller {
    /// The bearer of an unsigned token; a caller without one, where there are no claims.
    init(claims: JSONValue?) {
        let token = claims.map { claims in
            let payload = Data(claims.encoded).base64EncodedString()
            let coded = payload.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            return "Bearer eyJhbGciOiJub25lIn0.\(coded)."
        }
        self.init(authorization: token)
    }
}

extension JSONValue {
    var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    /// The fields of a document that an object stands for.
    var documentFields: [String: Value] { members.mapValues(Value.init) }
}

extension Value {
    /// Takes over plain JSON.
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let isTrue): self = .boolean(isTrue)
        case .integer(let number): self = .integer(number)
        case .number(let digits): self = .double(Double(digits) ?? .nan)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Value.init))
        case .object(let members): self = .map(members.mapValues(Value.init))
        }
    }
}
