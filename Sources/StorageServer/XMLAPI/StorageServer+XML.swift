// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a request to the XML API, be it signed or open to all.
    func answerXML(_ call: StorageCall) async -> Response {
        do {
            let route = try XMLRoute(method: call.request.method, target: call.target)
            try route.attribute(call)
            return try await faults.inject(into: call, operation: route.operation(call)) { call in
                try judgeSignature(call)
                return try await answer(route, call)
            }
        } catch {
            return XMLFailure(error).response
        }
    }

    private func judgeSignature(_ call: StorageCall) throws {
        let now = clock() / 1_000_000
        if let signed = try SignedURL(call.target.query) {
            try signed.judge(call, keys: signingKeys, now: now)
        } else if let signed = try LegacySignedURL(call.target) {
            try signed.judge(call, keys: signingKeys, now: now)
        }
    }

    private func answer(_ route: XMLRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .listBuckets: try await listXMLBuckets()
        case .postForm: try await postForm(to: nil, call)
        case .bucket(let bucket, let operation): try await answer(operation, bucket, call)
        case .object(let path, let operation): try await answer(operation, path, call)
        }
    }

    private func answer(
        _ operation: XMLRoute.BucketOperation,
        _ bucket: BucketName,
        _ call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .list: try await listXMLObjects(in: bucket, call)
        case .describe: try await describeXMLBucket(bucket)
        case .create: try await createXMLBucket(bucket, call)
        case .delete: try await deleteXMLBucket(bucket)
        case .setting(let setting): try await answer(setting, of: bucket)
        case .changeSetting(let setting): try await change(setting, of: bucket, call)
        case .deleteObjects: try await deleteXMLObjects(in: bucket, call)
        case .postForm: try await postForm(to: bucket, call)
        }
    }

    private func answer(
        _ operation: XMLRoute.ObjectOperation,
        _ path: ObjectPath,
        _ call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .download: try await downloadXMLObject(path, call)
        case .put: try await putXMLObject(path, call)
        case .delete: try await deleteXMLObject(path, call)
        case .accessControls: try await answerACL(of: path)
        case .changeAccessControls: try await changeACL(of: path, call)
        case .startResumable: try await startXMLResumable(path, call)
        case .continueResumable: try await continueXMLResumable(path, call)
        case .beginParts: try await beginParts(of: path, call)
        case .parts(let uploadID): try await answerParts(of: path, uploadID, call)
        }
    }
}
