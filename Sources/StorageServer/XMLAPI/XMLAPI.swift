// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

/// Google's XML API, to which signed URLs and forms go.
struct XMLAPI: StorageAPI {
    let context: StorageContext

    func route(_ call: StorageCall) throws -> XMLRoute {
        try XMLRoute(method: call.request.method, target: call.target, copySource: call["x-goog-copy-source"])
    }

    /// Judges the signature of a signed URL; everybody may do everything without one.
    func authorize(_ route: XMLRoute, for call: StorageCall) throws {
        let now = context.clock() / 1_000_000
        if let signed = try SignedURL(call.target.query) {
            try signed.judge(call, keys: context.signingKeys, now: now)
        } else if let signed = try LegacySignedURL(call.target) {
            try signed.judge(call, keys: context.signingKeys, now: now)
        }
    }

    func handle(_ route: XMLRoute, for call: StorageCall) async throws -> Response {
        switch route {
        case .listBuckets: try await listBuckets()
        case .postForm: try await postForm(to: nil, for: call)
        case .bucket(let bucket, let operation): try await answer(operation, bucket: bucket, for: call)
        case .object(let path, let operation): try await answer(operation, path: path, for: call)
        }
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response { XMLFailure(error).response }

    private func answer(
        _ operation: XMLRoute.BucketOperation,
        bucket: BucketName,
        for call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .list: try await listObjects(in: bucket, for: call)
        case .describe: try await describeBucket(bucket)
        case .create: try await createBucket(bucket, for: call)
        case .delete: try await deleteBucket(bucket)
        case .setting(let setting): try await answer(setting, of: bucket)
        case .changeSetting(let setting): try await change(setting, of: bucket, for: call)
        case .deleteObjects: try await deleteObjects(in: bucket, for: call)
        case .postForm: try await postForm(to: bucket, for: call)
        }
    }

    private func answer(
        _ operation: XMLRoute.ObjectOperation,
        path: ObjectPath,
        for call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .download, .describe: try await downloadObject(path, for: call)
        case .put: try await putObject(path, for: call)
        case .copy(let source): try await copyObject(source, to: path, for: call)
        case .delete: try await deleteObject(path, for: call)
        case .accessControls: try await answerACL(of: path)
        case .changeAccessControls: try await changeACL(of: path, for: call)
        case .startResumable: try await startResumable(path, for: call)
        case .continueResumable: try await uploads.continueChunks(call)
        case .cancelResumable: try await uploads.cancelChunks(call)
        case .beginParts: try await beginParts(of: path, for: call)
        case .parts(let uploadID, let action): try await answer(action, of: path, uploadID: uploadID, for: call)
        }
    }
}

extension XMLAPI {
    /// Stores the body as an object.
    func putObject(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        // A sum that is none is refused before the body has come.
        _ = try call.expectedDigest()
        let object = try await uploads.storeMedia(try UploadPlan(path, for: call, now: context.clock()), for: call)
        return Response(status: .ok, headers: object.storedFields)
    }

    func deleteObject(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try XMLConditions(call)
        let isDeleted = try await blockingWork { [store] in
            try store.delete(at: path, generation: conditions.generation, preconditions: conditions.preconditions)
        }
        guard isDeleted else { throw try await missing(path) }
        return Response(status: .noContent)
    }
}

extension StorageCall {
    /// The sums that `Content-MD5` and `x-goog-hash` name.
    func expectedDigest() throws(XMLFailure) -> ExpectedDigest {
        var expected = ExpectedDigest.anything
        do {
            try expected.expect(self)
            try expected.expect(md5: self["Content-MD5"])
        } catch {
            throw .invalidDigest(error.message)
        }
        return expected
    }
}

extension XMLAPI {
    /// Answers `POST /BUCKET/OBJECT` with `x-goog-resumable: start`, mostly of signed URLs; by now the signature is good.
    ///
    /// The address that the bytes go to carries no signature: any client that knows the upload may resume it.
    func startResumable(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        guard call["x-goog-resumable"]?.lowercased() == "start" else {
            throw XMLFailure.invalidArgument("A POST to an object needs x-goog-resumable: start.")
        }
        var plan = try UploadPlan(path, for: call, now: context.clock())
        plan.byteCount = call["x-upload-content-length"].flatMap(Int64.init)
        let upload = try await uploads.beginSession(plan, for: call)
        let address = "\(call.origin)\(call.target.path)?upload_id=\(upload.id)"
        return Response(status: .created, headers: [.location: address])
    }
}
