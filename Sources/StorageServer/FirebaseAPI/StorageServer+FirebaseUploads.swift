// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Stores the body of a media or multipart upload.
    func upload(to bucket: BucketName, _ name: ObjectName?, _ call: StorageCall) async throws -> Response {
        let received = try await receiveFirebase(call)
        let path = try received.path(in: bucket, named: name)
        call.attribute("storage.objects.insert", .classA, path: path)
        var attributes = received.metadata.attributes(mediaContentType: received.contentType)
        // What production gives to every v0 upload (recorded 2026).
        if attributes.downloadTokens.isEmpty { attributes.downloadTokens = [makeToken()] }
        attributes.contentDisposition = attributes.contentDisposition ?? path.name.contentDispositionDefault
        return call.json(try await commit(received, to: path, attributes, call: call).firebaseResource)
    }

    private func receiveFirebase(_ call: StorageCall) async throws -> ReceivedUpload {
        // The Android and iOS SDKs say so in the query, the chunks of an upload only by their command.
        guard call.target["uploadType"] != "resumable", call["X-Goog-Upload-Command"] == nil else {
            throw StorageFailure.resumableNotImplemented
        }
        switch call["X-Goog-Upload-Protocol"]?.lowercased() {
        case "multipart": return try await receiveMultipart(call)
        case nil, "raw": return try await receiveMedia(call)
        case "resumable": throw StorageFailure.resumableNotImplemented
        default: throw StorageFailure.invalid("X-Goog-Upload-Protocol must be multipart, raw or resumable.")
        }
    }
}

extension ObjectName {
    /// The disposition of a v0 upload that brings none: the name behind the last slash, for a browser to show.
    fileprivate var contentDispositionDefault: String {
        let base = description.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return "inline; filename*=utf-8''\(PercentCoding.encode(String(base)))"
    }
}
