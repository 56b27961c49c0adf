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
    func authorize(_ route: XMLRoute, _ call: StorageCall) throws {
        let now = context.clock() / 1_000_000
        if let signed = try SignedURL(call.target.query) {
            try signed.judge(call, keys: context.signingKeys, now: now)
        } else if let signed = try LegacySignedURL(call.target) {
            try signed.judge(call, keys: context.signingKeys, now: now)
        }
    }

    func handle(_ route: XMLRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .listBuckets: try await listBuckets()
        case .postForm: try await postForm(to: nil, call)
        case .bucket(let bucket, let operation): try await answer(operation, bucket, call)
        case .object(let path, let operation): try await answer(operation, path, call)
        }
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response { XMLFailure(error).response }

    private func answer(
        _ operation: XMLRoute.BucketOperation,
        _ bucket: BucketName,
        _ call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .list: try await listObjects(in: bucket, call)
        case .describe: try await describeBucket(bucket)
        case .create: try await createBucket(bucket, call)
        case .delete: try await deleteBucket(bucket)
        case .setting(let setting): try await answer(setting, of: bucket)
        case .changeSetting(let setting): try await change(setting, of: bucket, call)
        case .deleteObjects: try await deleteObjects(in: bucket, call)
        case .postForm: try await postForm(to: bucket, call)
        }
    }

    private func answer(
        _ operation: XMLRoute.ObjectOperation,
        _ path: ObjectPath,
        _ call: StorageCall
    ) async throws -> Response {
        switch operation {
        case .download, .describe: try await downloadObject(path, call)
        case .put: try await putObject(path, call)
        case .copy(let source): try await copyObject(source, to: path, call)
        case .delete: try await deleteObject(path, call)
        case .accessControls: try await answerACL(of: path)
        case .changeAccessControls: try await changeACL(of: path, call)
        case .startResumable: try await startResumable(path, call)
        case .continueResumable: try await uploads.continueChunks(call)
        case .cancelResumable: try await uploads.cancelChunks(call)
        case .beginParts: try await beginParts(of: path, call)
        case .parts(let uploadID, let action): try await answer(action, of: path, uploadID, call)
        }
    }
}

extension XMLAPI {
    /// Stores the body as an object.
    func putObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        // A sum that is none is refused before the body has come.
        _ = try call.expectedDigest()
        let object = try await uploads.storeMedia(try UploadPlan(path, call, now: context.clock()), call)
        return Response(status: .ok, headers: object.storedFields)
    }

    func deleteObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
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
    func startResumable(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        guard call["x-goog-resumable"]?.lowercased() == "start" else {
            throw XMLFailure.invalidArgument("A POST to an object needs x-goog-resumable: start.")
        }
        var plan = try UploadPlan(path, call, now: context.clock())
        plan.byteCount = call["x-upload-content-length"].flatMap(Int64.init)
        let upload = try await uploads.beginSession(plan, call)
        let address = "\(call.origin)\(call.target.path)?upload_id=\(upload.id)"
        return Response(status: .created, headers: [.location: address])
    }
}
