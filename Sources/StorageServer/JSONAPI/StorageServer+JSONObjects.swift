// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    func describe(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let demand = try ObjectDemand(call)
        let found = try await blockingWork { [store] in try store.metadata(at: path) }
        switch try demand.judge(found, at: path) {
        case .answer(let object):
            var response = call.json(object.resource(origin: call.origin).selecting(call.target["fields"]))
            response.headers[.eTag] = object.etag
            return response
        case .notModified(let object):
            return .notModified(object)
        }
    }

    func downloadObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let demand = try ObjectDemand(call)
        let reader = try await open(path)
        switch try demand.judge(reader?.metadata, at: path) {
        case .notModified(let object):
            return .notModified(object)
        case .answer:
            guard let reader else { throw StorageFailure.noSuchObject(path) }
            return try await media(reader, for: call.request, in: .json)
        }
    }

    func patchObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let demand = try ObjectDemand(call)
        let json = try await WholeBody(of: call.request).collected(upTo: MultipartRelatedParser.metadataByteCountMax)
        let patch = try MetadataPatch.decode(json)
        let updated = try await blockingWork { [store] in
            try demand.requireGeneration(of: store.metadata(at: path), at: path)
            return try store.update(at: path, preconditions: demand.forChange) { patch.apply(to: &$0) }
        }
        guard let updated else { throw StorageFailure.noSuchObject(path) }
        return call.json(updated.resource(origin: call.origin).selecting(call.target["fields"]))
    }

    func deleteObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let demand = try ObjectDemand(call)
        let isDeleted = try await blockingWork { [store] in
            try demand.requireGeneration(of: store.metadata(at: path), at: path)
            return try store.delete(at: path, preconditions: demand.forChange)
        }
        guard isDeleted else { throw StorageFailure.noSuchObject(path) }
        return Response(status: .noContent)
    }
}

extension Response {
    fileprivate static func notModified(_ object: ObjectMetadata) -> Response {
        Response(status: .notModified, headers: MediaForm.json.validators(of: object))
    }
}
