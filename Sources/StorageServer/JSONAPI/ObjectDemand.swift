// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension ObjectPreconditions {
    /// Reads the four parameters.
    init(_ target: RequestTarget) throws(StorageFailure) {
        self.init(
            ifGenerationMatch: try target.number("ifGenerationMatch"),
            ifGenerationNotMatch: try target.number("ifGenerationNotMatch"),
            ifMetagenerationMatch: try target.number("ifMetagenerationMatch"),
            ifMetagenerationNotMatch: try target.number("ifMetagenerationNotMatch")
        )
    }
}

/// What a request to the JSON API demands of the object it reads or changes.
struct ObjectDemand: Sendable {
    private let generation: Int64?
    private let preconditions: ObjectPreconditions
    private let fields: HTTPFields

    init(_ call: StorageCall) throws(StorageFailure) {
        generation = try call.target.number("generation")
        preconditions = try ObjectPreconditions(call.target)
        fields = call.request.headers
    }

    /// How a read goes on.
    enum Verdict {
        case answer(ObjectMetadata)
        case notModified(ObjectMetadata)
    }

    /// Judges a read.
    ///
    /// An absent object fails with 412 when a precondition does not hold of it, otherwise with 404: no object has any
    /// generation but its last.
    func judge(_ found: ObjectMetadata?, at path: ObjectPath) throws(StorageFailure) -> Verdict {
        let object = found.flatMap { generation ?? $0.generation == $0.generation ? $0 : nil }
        guard let object else {
            throw preconditions.failure(for: nil) == nil ? .noSuchObject(path) : .preconditionFailed
        }
        if let tags = fields[.ifMatch], !EntityTags(tags).contains(object.etag) { throw .preconditionFailed }
        switch preconditions.failure(for: object) {
        case .mismatched: throw .preconditionFailed
        case .notModified: return .notModified(object)
        case nil: break
        }
        if let tags = fields[.ifNoneMatch], EntityTags(tags).contains(object.etag) { return .notModified(object) }
        return .answer(object)
    }

    /// What a change of an object demands in its transaction.
    ///
    /// A generation in the target that is not the present one has been judged before; one replaced since is a 412.
    var forChange: ObjectPreconditions {
        var demanded = preconditions
        demanded.ifGenerationMatch = demanded.ifGenerationMatch ?? generation
        return demanded
    }

    /// Throws 404 when a change names a generation that is no more.
    func requireGeneration(of found: ObjectMetadata?, at path: ObjectPath) throws(StorageFailure) {
        guard let generation else { return }
        guard found?.generation == generation else { throw .noSuchObject(path) }
    }
}
