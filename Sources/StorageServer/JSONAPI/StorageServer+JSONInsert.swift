// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Stores the body of a media or multipart upload.
    func insert(into bucket: BucketName, _ name: ObjectName?, _ call: StorageCall) async throws -> Response {
        let preconditions = try ObjectPreconditions(call.target)
        let received = try await receiveInsert(call)
        let path = try received.path(in: bucket, named: name)
        call.attribute("storage.objects.insert", .classA, path: path)
        var attributes = received.metadata.attributes(mediaContentType: received.contentType)
        if let coding = call.target["contentEncoding"] { attributes.contentEncoding = coding }
        attributes.dropIdentityEncoding()
        let object = try await commit(received, to: path, attributes, preconditions, call: call)
        return call.json(object.resource(origin: call.origin).selecting(call.target["fields"]))
    }

    private func receiveInsert(_ call: StorageCall) async throws -> ReceivedUpload {
        switch call.target["uploadType"] ?? call["X-Goog-Upload-Protocol"]?.lowercased() {
        case "media": return try await receiveMedia(call)
        case "multipart": return try await receiveMultipart(call)
        case "resumable": throw StorageFailure.resumableNotImplemented
        default: throw StorageFailure.invalid("The parameter uploadType must be media, multipart or resumable.")
        }
    }
}
