// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import ObjectStore
import Wire

/// The part of both resumable protocols that concerns a session.
extension ObjectUploads {
    /// Begins a session, which is charged as one operation, however many requests it takes.
    ///
    /// Source: https://cloud.google.com/storage/pricing (2026-05); that its beginning is what is charged is our inference.
    func beginSession(_ plan: UploadPlan, for call: StorageCall) async throws -> ResumableUpload {
        let path = try plan.path()
        call.attribute(to: .object(path))
        // A request that cannot be granted is refused now, not after the bytes have come.
        _ = try plan.attributes { "" }
        _ = try plan.expectedDigest(call)
        if let byteCount = plan.byteCount, byteCount > store.configuration.objectByteCountMax {
            throw StorageFailure.tooLarge(limit: store.configuration.objectByteCountMax)
        }
        let text = try plan.encoded()
        return try await blockingWork { [store] in
            try plan.preconditions.requireStart(over: store.metadata(at: path), at: path)
            return try store.beginResumableUpload(request: text)
        }
    }

    /// Returns the session that a request names.
    func session(_ call: StorageCall) async throws -> (ResumableUpload, UploadPlan) {
        guard let id = call.target["upload_id"].flatMap(UploadID.init) else { throw StorageFailure.noSuchUpload }
        guard let upload = try await blockingWork({ [store] in try store.resumableUpload(id) }) else {
            throw StorageFailure.noSuchUpload
        }
        let plan = try UploadPlan(upload)
        call.attribute(to: .object(try plan.path()))
        return (upload, plan)
    }

    /// Takes the right to append, and returns how far the upload has come: no other request moves it on from there.
    func takeTurn(
        in upload: ResumableUpload
    ) async throws -> (turn: ResumableUpload.Turn, progress: UploadProgress) {
        // Both may wait for another commit.
        try await blockingWork { (upload.takeTurn(), try upload.progress()) }
    }

    /// Appends a request's body, without its first bytes if they are there already.
    ///
    /// Bytes that arrive before a connection breaks are kept: the client will ask how far it came.
    ///
    /// - Returns: the number of bytes in the body.
    func append(
        _ call: StorageCall,
        to upload: ResumableUpload,
        turn: ResumableUpload.Turn,
        skipping known: Int64 = 0
    ) async throws -> Int64 {
        var received: Int64 = 0
        do {
            try await WholeBody(of: call.request).forEachPiece { piece in
                var fresh = piece
                fresh.moveReaderIndex(forwardBy: Int(min(max(0, known - received), Int64(piece.readableBytes))))
                received += Int64(piece.readableBytes)
                let bytes = fresh
                try await blockingWork { try bytes.withUnsafeReadableBytes { try upload.append($0, in: turn) } }
            }
        } catch {
            // A resumed upload asks how much is kept: what came before the break should count, and the break is what to report.
            try? await blockingWork { try upload.synchronize() }
            throw error
        }
        try await blockingWork { try upload.synchronize() }
        return received
    }

    /// Makes the bytes of a session the object that its plan describes.
    func finish(
        _ upload: ResumableUpload,
        plan: UploadPlan,
        turn: ResumableUpload.Turn,
        for call: StorageCall
    ) async throws -> ObjectMetadata {
        // The session has been charged when it began.
        let placement = try placement(of: plan, for: call)
        return try await blockingWork { try upload.commit(placement, in: turn) }
    }

    /// The object to make of the bytes.
    func placement(of plan: UploadPlan, for call: StorageCall) throws -> UploadPlacement {
        var placement = UploadPlacement(
            path: try plan.path(),
            attributes: try plan.attributes(context.makeToken),
            preconditions: plan.preconditions,
            expected: try plan.expectedDigest(call),
            customerKeyHash: plan.customerKeyHash
        )
        if plan.api == .firebase, let judge = context.judge(of: call) {
            placement.authorize = { former, object in try judge(.create(object, replacing: former)) }
        }
        return placement
    }

    /// The object that a session has become.
    func result(at path: ObjectPath, generation: Int64) async throws -> ObjectMetadata {
        let object = try await blockingWork { [store] in try store.metadata(at: path, generation: generation) }
        guard let object else { throw StorageFailure.noSuchObject(path) }
        return object
    }

    /// The object as the API of its upload describes it.
    func uploaded(_ object: ObjectMetadata, plan: UploadPlan, for call: StorageCall) async throws -> Response {
        switch plan.api {
        case .firebase: call.json(object.firebaseResource)
        case .json: try await JSONAPI(context: context).describeInFull(object, isNew: true, for: call)
        case .xml, .emulator: Response(status: .ok, headers: object.storedFields)
        }
    }
}

extension ObjectPreconditions {
    /// Throws when an upload could not be finished now.
    fileprivate func requireStart(over object: ObjectMetadata?, at path: ObjectPath) throws {
        switch failure(for: object) {
        case nil: return
        case .notModified where object != nil: throw StorageFailure.notModified
        case .mismatched, .notModified: throw StorageFailure.preconditionFailed
        }
    }
}
