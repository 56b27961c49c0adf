// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    /// Stores the body as an object, or a copy of another object.
    func putXMLObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        if let source = call["x-goog-copy-source"] { return try await copyXMLObject(source, to: path, call) }
        // A sum that is none is refused before the body has come.
        _ = try call.expectedDigest()
        let object = try await storeMedia(try UploadPlan(path, call, now: clock()), call)
        return Response(status: .ok, headers: object.storedFields)
    }

    func deleteXMLObject(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let demand = try XMLDemand(call)
        let isDeleted = try await blockingWork { [store] in
            try store.delete(at: path, generation: demand.generation, preconditions: demand.preconditions)
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
