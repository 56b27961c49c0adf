// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// A body that has arrived whole but is not yet an object.
struct ReceivedUpload: Sendable {
    let upload: ObjectUpload
    var metadata = UploadMetadata()
    var contentType: String?

    /// Where the object is to be: under the name in the request's target, or else the one in the metadata.
    func path(in bucket: BucketName, named name: ObjectName?) throws(StorageFailure) -> ObjectPath {
        if let name { return ObjectPath(bucket: bucket, name: name) }
        guard let text = metadata.name else { throw .invalid("The upload names no object; add the parameter name.") }
        guard let name = ObjectName(text) else { throw .badRequest }
        return ObjectPath(bucket: bucket, name: name)
    }
}

extension StorageServer {
    /// Receives a body that is nothing but the object's bytes.
    func receiveMedia(_ call: StorageCall) async throws -> ReceivedUpload {
        let body = WholeBody(of: call.request)
        try body.checkDeclaredSize(atMost: store.configuration.objectByteCountMax)
        let upload = try await blockingWork { [store] in try store.beginUpload() }
        try await body.forEachPiece { piece in
            try await blockingWork { try piece.withUnsafeReadableBytes { try upload.append($0) } }
        }
        return ReceivedUpload(upload: upload, contentType: call.request.headers[.contentType])
    }

    /// Receives a body of two parts, the metadata and the object's bytes.
    func receiveMultipart(_ call: StorageCall) async throws -> ReceivedUpload {
        var parser = try MultipartRelatedParser(contentType: call.request.headers[.contentType])
        let upload = try await blockingWork { [store] in try store.beginUpload() }
        try await WholeBody(of: call.request).forEachPiece { piece in
            var object: [[UInt8]] = []
            try parser.consume(piece.readableBytesView) { object.append($0) }
            let bytes = object
            try await blockingWork { for part in bytes { try part.withUnsafeBytes { try upload.append($0) } } }
        }
        guard parser.isComplete else { throw MultipartRelatedParser.Failure.missingParts }
        return ReceivedUpload(
            upload: upload,
            metadata: try UploadMetadata.decode(parser.metadata),
            contentType: parser.mediaContentType
        )
    }

    /// Makes a received body the object at a path, if its checksums and the preconditions hold.
    func commit(
        _ received: ReceivedUpload,
        to path: ObjectPath,
        _ attributes: ObjectAttributes,
        _ preconditions: ObjectPreconditions = .none,
        call: StorageCall
    ) async throws -> ObjectMetadata {
        var expected = try received.metadata.expectedDigest()
        try expected.expect(call)
        let digest = expected
        return try await blockingWork {
            try received.upload.commit(
                to: path,
                attributes: attributes,
                preconditions: preconditions,
                expected: digest
            )
        }
    }
}
