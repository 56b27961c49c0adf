// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

/// Google's JSON API, which Google's own client libraries and gcloud speak.
struct JSONAPI: StorageAPI {
    let context: StorageContext

    func route(_ call: StorageCall) throws -> JSONRoute {
        try JSONRoute(method: call.method, target: call.target)
    }

    /// Everybody may do everything: in production IAM decides, and no rules.
    func authorize(_ route: JSONRoute, for call: StorageCall) {}

    func handle(_ route: JSONRoute, for call: StorageCall) async throws -> Response {
        // A bad selection is refused before anything is changed.
        _ = try call.requestedForm()
        var response = try await carryOut(route, for: call)
        if route == .batch { return response }
        response.addJSONFields(for: call)
        return response
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response {
        var response = StorageFailure(error).response(in: call.jsonFailureForm, as: call.form)
        response.addJSONFields(for: call)
        return response
    }

    private func carryOut(_ route: JSONRoute, for call: StorageCall) async throws -> Response {
        switch route {
        case .listBuckets: return try await listBuckets(call)
        case .createBucket: return try await createBucket(call)
        case .bucket(let bucket, let action): return try await answer(action, to: bucket, for: call)
        case .policy(let bucket, let action): return try await answer(action, to: bucket, for: call)
        case .accessControls(let scope, let action): return try await answer(action, to: scope, for: call)
        case .notifications(let bucket, let action): return try await answerNotifications(action, of: bucket, for: call)
        case .folders(let bucket, let action): return try await answerFolders(action, of: bucket, for: call)
        case .listObjects(let bucket): return try await listObjects(in: bucket, for: call)
        case .upload(let bucket, let name), .continueUpload(let bucket, let name):
            return try await upload(to: bucket, named: name, for: call)
        case .object(let path, let action): return try await answer(action, to: path, for: call)
        case .compose(let path): return try await compose(path, for: call)
        case .copy(let source, let destination): return try await copy(source, to: destination, for: call)
        case .rewrite(let source, let destination): return try await rewrite(source, to: destination, for: call)
        case .move(let source, let destination): return try await move(source, to: destination, for: call)
        case .hmacKeys(let project, let action): return try await answerKeys(action, of: project, for: call)
        case .batch: return try await answerBatch(call)
        case .serviceAccount(let project): return call.json(Self.serviceAccount(of: project))
        }
    }

    private func answer(
        _ action: JSONRoute.BucketAction,
        to bucket: BucketName,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .get: try await describe(bucket, for: call)
        case .patch: try await change(bucket, replacingAll: false, for: call)
        case .update: try await change(bucket, replacingAll: true, for: call)
        case .delete: try await delete(bucket, for: call)
        case .restore: try await restore(bucket, for: call)
        case .lockRetentionPolicy: try await lockRetentionPolicy(of: bucket, for: call)
        case .getStorageLayout: try await describeLayout(of: bucket, for: call)
        }
    }

    private func answer(
        _ action: JSONRoute.ObjectAction,
        to path: ObjectPath,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .get: try await describe(path, for: call)
        case .download: try await downloadObject(path, for: call)
        case .patch: try await change(path, replacingAll: false, for: call)
        case .update: try await change(path, replacingAll: true, for: call)
        case .delete: try await deleteObject(path, for: call)
        case .restore: try await restore(path, for: call)
        }
    }

    /// The account that Cloud Storage itself acts as, of the form production has.
    private static func serviceAccount(of project: String) -> JSONText {
        .object([
            ("kind", "storage#serviceAccount"),
            ("email_address", .string("service-\(projectNumber)@gs-project-accounts.iam.gserviceaccount.com")),
        ])
    }
}

extension StorageCall {
    /// Whether the request goes to where the JSON API takes uploads; gcloud has an address of its own for resumable ones.
    private var isUpload: Bool { ["/upload/", "/resumable/upload/"].contains(where: target.path.hasPrefix) }

    /// The form in which a client of the JSON API wants to hear of a failure.
    var jsonFailureForm: StorageFailure.Form {
        if isUpload { return .upload }
        return target.asksForMedia || target.path.hasPrefix("/download/") ? .text : .json
    }
}
