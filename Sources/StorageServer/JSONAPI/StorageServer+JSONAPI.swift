// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a request to Google's JSON API.
    func answerJSON(_ call: StorageCall) async throws -> Response {
        let route = try JSONRoute(method: call.method, target: call.target)
        try call.attribute(route.meteredOperation, route.operationClass, bucket: route.bucket, path: route.path)
        // A bad selection is refused before anything is changed.
        _ = try call.requestedForm()
        return try await faults.inject(into: call, operation: route.operation) { try await carryOut(route, $0) }
    }

    private func carryOut(_ route: JSONRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .listBuckets: return try await listBuckets(call)
        case .createBucket: return try await createBucket(call)
        case .bucket(let bucket, let action): return try await answer(action, to: bucket, call)
        case .policy(let bucket, let action): return try await answer(action, to: bucket, call)
        case .accessControls(let scope, let action): return try await answer(action, to: scope, call)
        case .notifications(let bucket, let action): return try await answerNotifications(action, of: bucket, call)
        case .folders(let bucket, let action): return try await answerFolders(action, of: bucket, call)
        case .listObjects(let bucket): return try await listObjects(in: bucket, call)
        case .upload(let bucket, let name): return try await upload(to: bucket, named: name, call)
        case .object(let path, let action): return try await answer(action, to: path, call)
        case .compose(let path): return try await compose(path, call)
        case .copy(let source, let destination): return try await copy(source, to: destination, call)
        case .rewrite(let source, let destination): return try await rewrite(source, to: destination, call)
        case .move(let source, let destination): return try await move(source, to: destination, call)
        case .hmacKeys(let project, let action): return try await answerKeys(action, of: project, call)
        case .serviceAccount(let project): return call.json(Self.serviceAccount(of: project))
        }
    }

    private func answer(
        _ action: JSONRoute.BucketAction,
        to bucket: BucketName,
        _ call: StorageCall
    ) async throws -> Response {
        switch action {
        case .get: try await describe(bucket, call)
        case .patch: try await change(bucket, replacingAll: false, call)
        case .update: try await change(bucket, replacingAll: true, call)
        case .delete: try await delete(bucket, call)
        case .restore: try await restore(bucket, call)
        case .lockRetentionPolicy: try await lockRetentionPolicy(of: bucket, call)
        case .getStorageLayout: try await describeLayout(of: bucket, call)
        }
    }

    private func answer(
        _ action: JSONRoute.ObjectAction,
        to path: ObjectPath,
        _ call: StorageCall
    ) async throws -> Response {
        switch action {
        case .get: try await describe(path, call)
        case .download: try await downloadObject(path, call)
        case .patch: try await change(path, replacingAll: false, call)
        case .update: try await change(path, replacingAll: true, call)
        case .delete: try await deleteObject(path, call)
        case .restore: try await restore(path, call)
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
