// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request under `/upload`.
    func upload(to bucket: BucketName, named name: ObjectName?, for call: StorageCall) async throws -> Response {
        if let command = call["X-Goog-Upload-Command"] {
            return try await uploads.answerCommand(command, plan: plan(bucket, name: name, for: call), for: call)
        }
        guard call.target["upload_id"] == nil else {
            return call.method == .delete
                ? try await uploads.cancelChunks(call) : try await uploads.continueChunks(call)
        }
        guard call.method == .post || call.method == .put else { throw StorageFailure.methodNotAllowed }
        let plan = try await plan(bucket, name: name, for: call)
        // Firebase's user interface makes folders so, without a type (firebase-tools-ui 1.15.0, `useCreateFolder.tsx`).
        let isInParts = call["Content-Type"]?.lowercased().hasPrefix("multipart/related") == true
        let type = call.target[.uploadType] ?? call["X-Goog-Upload-Protocol"]?.lowercased()
        switch type ?? (isInParts ? "multipart" : nil) {
        case "media": return try await describeInFull(uploads.storeMedia(plan, for: call), isNew: true, for: call)
        case "multipart":
            return try await describeInFull(uploads.storeMultipart(plan, for: call), isNew: true, for: call)
        case "resumable": return try await uploads.startChunks(plan, for: call)
        default: throw StorageFailure.invalid("The parameter uploadType must be media, multipart or resumable.")
        }
    }

    private func plan(_ bucket: BucketName, name: ObjectName?, for call: StorageCall) async throws -> UploadPlan {
        var plan = UploadPlan(.json, bucket: bucket, name: name)
        plan.preconditions = try ObjectPreconditions(call.target)
        plan.customerKeyHash = try CustomerKey.read(call)?.hash
        plan.owner = call.owner
        plan.keyName = call.target.text("kmsKeyName")
        plan.time = store.now
        plan.contentEncoding = call.target["contentEncoding"]
        plan.grants = try await predefinedGrants(call.target.text("predefinedAcl"), in: bucket, for: call)
        return plan
    }
}
