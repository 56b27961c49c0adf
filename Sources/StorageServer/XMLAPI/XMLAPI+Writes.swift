// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

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
