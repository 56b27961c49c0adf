// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension XMLAPI {
    /// The parameters by which a URL says what its answer says of itself.
    private static let overrides: [(parameter: String, field: HTTPField.Name)] = [
        ("response-cache-control", .cacheControl), ("response-content-disposition", .contentDisposition),
        ("response-content-encoding", .contentEncoding), ("response-content-language", .contentLanguage),
        ("response-content-type", .contentType), ("response-expires", .expires),
    ]

    /// Answers GET and HEAD of an object.
    func downloadObject(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try XMLConditions(call)
        let overrides = try Self.overriding(call)
        let key = try CustomerKey.read(call)
        let found = try await blockingWork { [store] in try store.open(path, generation: conditions.generation) }
        guard let reader = found else { throw try await missing(path) }
        try conditions.judge(reader.metadata)
        try CustomerKey.check(key, opens: reader.metadata)
        let isPublic = call.request.headers[.authorization] == nil && !call.isSigned
        return try await downloads.media(reader, for: call, in: .xml(isPublic: isPublic), overriding: overrides)
    }

    /// Throws when there is no bucket of a name.
    func requireBucket(_ name: BucketName) async throws {
        guard try await blockingWork({ [store] in try store.bucket(named: name) }) != nil else {
            throw XMLFailure.noSuchBucket
        }
    }

    /// The error where there is no object.
    func missing(_ path: ObjectPath) async throws -> XMLFailure {
        try await requireBucket(path.bucket)
        return .noSuchKey(path)
    }

    private static func overriding(_ call: StorageCall) throws(XMLFailure) -> HTTPFields {
        var fields = HTTPFields()
        for (parameter, field) in overrides {
            guard let value = call.target.text(parameter) else { continue }
            guard HTTPField.isValidValue(value) else {
                throw .invalidArgument("\(parameter) must be the value of a header field.")
            }
            fields[field] = value
        }
        return fields
    }
}

extension StorageCall {
    /// Whether the URL carries a signature.
    var isSigned: Bool {
        target.query.contains { $0.name.lowercased() == SignedURL.signatureName || $0.name == "GoogleAccessId" }
    }
}
