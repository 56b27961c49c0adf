// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    /// Answers `POST /BUCKET/OBJECT` with `x-goog-resumable: start`, mostly of signed URLs; by now the signature is good.
    ///
    /// The address that the bytes go to carries no signature: whoever knows the upload may go on with it.
    func startXMLResumable(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        guard call["x-goog-resumable"]?.lowercased() == "start" else {
            throw XMLFailure.invalidArgument("A POST to an object needs x-goog-resumable: start.")
        }
        var plan = try UploadPlan(path, call, now: clock())
        plan.byteCount = call["x-upload-content-length"].flatMap(Int64.init)
        let upload = try await beginSession(plan, call)
        let address = "\(call.origin)\(call.target.path)?upload_id=\(upload.id)"
        return Response(status: .created, headers: [.location: address])
    }

    /// Answers requests with an `upload_id`: the chunks, the question how far the upload is, and its cancellation.
    func continueXMLResumable(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        switch call.request.method {
        case .put, .post: try await continueChunks(call)
        case .delete: try await cancelChunks(call)
        default: throw XMLFailure.methodNotAllowed
        }
    }
}
