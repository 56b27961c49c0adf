// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// Stores what clients upload, for all three APIs: in one body, by the commands of Firebase's SDKs, or in the chunks of
/// Google's resumable protocol.
struct ObjectUploads: Sendable {
    let context: StorageContext

    var store: SQLiteObjectStore { context.store }
}

extension ObjectUploads {
    /// Stores a body that is nothing but the object's bytes.
    func storeMedia(_ plan: UploadPlan, for call: StorageCall) async throws -> ObjectMetadata {
        var plan = plan
        plan.mediaType = call.request.headers[.contentType]
        let body = WholeBody(of: call.request)
        try body.checkDeclaredSize(atMost: store.configuration.objectByteCountMax)
        let upload = try await blockingWork { [store] in try store.beginUpload() }
        try await body.forEachPiece { piece in
            try await blockingWork { try piece.withUnsafeReadableBytes { try upload.append($0) } }
        }
        return try await commit(upload, plan, for: call)
    }

    /// Stores the second part of a body whose first part describes it.
    func storeMultipart(_ plan: UploadPlan, for call: StorageCall) async throws -> ObjectMetadata {
        var parser = try MultipartRelatedParser(contentType: call.request.headers[.contentType])
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        let upload = try await blockingWork { [store] in try store.beginUpload() }
        try await WholeBody(of: call.request).forEachPiece { piece in
            var object: [[UInt8]] = []
            try parser.consume(piece.readableBytesView) { object.append($0) }
            try memory.hold(parser.heldByteCount)
            let bytes = object
            try await blockingWork { for part in bytes { try part.withUnsafeBytes { try upload.append($0) } } }
        }
        guard parser.isComplete else { throw MultipartRelatedParser.Failure.unfinished }
        var plan = plan
        plan.requested = String(decoding: parser.metadata, as: UTF8.self)
        plan.mediaType = parser.mediaContentType
        return try await commit(upload, plan, for: call)
    }

    /// Makes a body that has arrived whole the object that the plan describes, if checksums and preconditions hold.
    private func commit(
        _ upload: ObjectUpload,
        _ plan: UploadPlan,
        for call: StorageCall
    ) async throws -> ObjectMetadata {
        let placement = try placement(of: plan, for: call)
        call.attribute(to: .object(placement.path))
        return try await blockingWork { try upload.commit(placement) }
    }
}
