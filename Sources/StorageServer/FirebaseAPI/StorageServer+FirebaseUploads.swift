// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Answers an upload, or one of the requests of a resumable one.
    func upload(to bucket: BucketName, _ name: ObjectName?, _ call: StorageCall) async throws -> Response {
        let plan = UploadPlan(.firebase, bucket: bucket, name: name)
        // After its start a resumable upload tells itself by the command alone.
        if let command = call["X-Goog-Upload-Command"] { return try await answerCommand(command, plan, call) }
        switch call["X-Goog-Upload-Protocol"]?.lowercased() {
        case "multipart": return call.json(try await storeMultipart(plan, call).firebaseResource)
        case nil, "raw": return call.json(try await storeMedia(plan, call).firebaseResource)
        case "resumable": throw StorageFailure.invalid("A resumable upload needs the header X-Goog-Upload-Command.")
        default: throw StorageFailure.invalid("X-Goog-Upload-Protocol must be multipart, raw or resumable.")
        }
    }
}
