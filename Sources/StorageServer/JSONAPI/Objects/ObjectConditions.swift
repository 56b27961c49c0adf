// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension ObjectPreconditions {
    /// Reads the four parameters, or those about the source of a copy.
    init(_ target: RequestTarget, ofSource: Bool = false) throws(StorageFailure) {
        let start = ofSource ? "ifSource" : "if"
        self.init(
            ifGenerationMatch: try target.number("\(start)GenerationMatch"),
            ifGenerationNotMatch: try target.number("\(start)GenerationNotMatch"),
            ifMetagenerationMatch: try target.number("\(start)MetagenerationMatch"),
            ifMetagenerationNotMatch: try target.number("\(start)MetagenerationNotMatch")
        )
    }
}

/// The preconditions of a request to the JSON API on the object it reads or changes.
struct ObjectConditions: Sendable {
    /// The version; `nil` for the live one.
    let generation: Int64?
    let preconditions: ObjectPreconditions
    private let fields: HTTPFields

    init(_ call: StorageCall) throws(StorageFailure) {
        generation = try call.target.number("generation")
        preconditions = try ObjectPreconditions(call.target)
        fields = call.request.headers
    }

    /// How a read continues.
    enum Verdict {
        case answer(ObjectMetadata)
        /// The client has it already, as it says by `If-None-Match`.
        case notModified(ObjectMetadata)
    }

    /// Judges a read; an absent object is a 404 whatever the preconditions (recorded 2026).
    func judge(_ found: ObjectMetadata?, at path: ObjectPath) throws(StorageFailure) -> Verdict {
        guard let object = found else { throw .noSuchObject(path) }
        if let tags = fields[.ifMatch], !EntityTags(tags).contains(object.etag) { throw .preconditionFailed }
        switch preconditions.failure(for: object) {
        case .mismatched: throw .preconditionFailed
        case .notModified: throw .notModified
        case nil: break
        }
        if let tags = fields[.ifNoneMatch], EntityTags(tags).contains(object.etag) { return .notModified(object) }
        return .answer(object)
    }
}
