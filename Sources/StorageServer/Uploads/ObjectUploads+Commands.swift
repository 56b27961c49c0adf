// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// The commands of the resumable protocol that the Firebase SDKs speak: `X-Goog-Upload-Command`.
extension ObjectUploads {
    /// Chunks but the last are multiples of this many bytes (recorded from production in 2026).
    static let chunkGranularity = 256 << 10

    /// Answers a command.
    func answerCommand(_ text: String, plan: UploadPlan, for call: StorageCall) async throws -> Response {
        let commands = Set(text.lowercased().split(separator: ",").map { $0.filter { $0 != " " } })
        switch commands {
        case ["start"]: return try await startUpload(plan, for: call)
        case ["query"]: return try await queryUpload(call)
        case ["cancel"]: return try await cancelUpload(call)
        case ["upload"], ["finalize"], ["upload", "finalize"]:
            return try await continueUpload(
                isUpload: commands.contains("upload"),
                isFinal: commands.contains("finalize"),
                for: call
            )
        default: throw StorageFailure.invalid("X-Goog-Upload-Command \(text) is not known.")
        }
    }

    private func startUpload(_ plan: UploadPlan, for call: StorageCall) async throws -> Response {
        var plan = plan
        plan.requested = String(
            decoding: try await WholeBody(of: call.request).collected(upTo: ObjectChanges.byteCountMax),
            as: UTF8.self
        )
        plan.mediaType = call["X-Goog-Upload-Header-Content-Type"] ?? call["X-Upload-Content-Type"]
        plan.byteCount = (call["X-Goog-Upload-Header-Content-Length"] ?? call["X-Upload-Content-Length"])
            .flatMap(Int64.init)
        let upload = try await beginSession(plan, for: call)
        let name = PercentCoding.encode(try plan.path().name.description)
        let query = "name=\(name)&upload_id=\(upload.id)&upload_protocol=resumable"
        let address = "\(call.origin)\(call.uploadPath)?\(query)"
        return .upload(.active) {
            $0.set("X-Goog-Upload-Chunk-Granularity", to: String(Self.chunkGranularity))
            $0.set("X-Goog-Upload-URL", to: address)
            $0.set("X-Goog-Upload-Control-URL", to: address)
        }
    }

    private func queryUpload(_ call: StorageCall) async throws -> Response {
        let (upload, _) = try await session(call)
        switch try await blockingWork({ try upload.progress() }) {
        case .active(let byteCount):
            return .upload(.active) {
                $0.set("X-Goog-Upload-Chunk-Granularity", to: String(Self.chunkGranularity))
                $0.set("X-Goog-Upload-Size-Received", to: String(byteCount))
            }
        case .completed(_, _, let byteCount):
            return .upload(.final) { $0.set("X-Goog-Upload-Size-Received", to: String(byteCount)) }
        case .cancelled: return .upload(.cancelled)
        }
    }

    private func cancelUpload(_ call: StorageCall) async throws -> Response {
        let (upload, _) = try await session(call)
        if case .completed = try await blockingWork({ try upload.progress() }) {
            throw StorageFailure.invalid("The upload has been finalized; it cannot be cancelled.")
        }
        try await blockingWork { try upload.cancel() }
        return .upload(.cancelled)
    }

    private func continueUpload(isUpload: Bool, isFinal: Bool, for call: StorageCall) async throws -> Response {
        let (upload, plan) = try await session(call)
        switch try await blockingWork({ try upload.progress() }) {
        case .cancelled: throw StorageFailure.invalid("The upload has been cancelled.")
        case .completed(let path, let generation, _):
            // The answer to the finalization was lost on its way.
            guard isFinal else { throw StorageFailure.invalid("The upload has been finalized.") }
            return try await finalAnswer(result(at: path, generation: generation), plan: plan, for: call)
        case .active:
            let (turn, progress) = try await takeTurn(in: upload)
            // The former holder of the turn may have ended the upload meanwhile.
            guard case .active(let byteCount) = progress else {
                return try await continueUpload(isUpload: isUpload, isFinal: isFinal, for: call)
            }
            if isUpload {
                let offset = try call.uploadOffset
                guard offset == byteCount else { return .wrongOffset(offset, insteadOf: byteCount) }
                _ = try await append(call, to: upload, turn: turn)
            }
            guard isFinal else { return .upload(.active) }
            return try await finalAnswer(finish(upload, plan: plan, turn: turn, for: call), plan: plan, for: call)
        }
    }

    private func finalAnswer(
        _ object: ObjectMetadata,
        plan: UploadPlan,
        for call: StorageCall
    ) async throws -> Response {
        var response = try await uploaded(object, plan: plan, for: call)
        response.headers.set("X-Goog-Upload-Status", to: "final")
        return response
    }
}

extension StorageCall {
    /// 0 where the client does not say.
    fileprivate var uploadOffset: Int64 {
        get throws(StorageFailure) {
            guard let text = self["X-Goog-Upload-Offset"] else { return 0 }
            guard let offset = Int64(text), offset >= 0 else {
                throw .invalid("X-Goog-Upload-Offset must tell where the bytes begin.")
            }
            return offset
        }
    }

    /// The path that the commands after the start go to: the one of the start, without an object's name.
    fileprivate var uploadPath: String {
        guard api == .firebase else { return String(target.path) }
        let segments = target.path.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        return segments.prefix(5).joined(separator: "/")
    }
}

extension Response {
    fileprivate enum UploadStatus: String {
        case active, cancelled, final
    }

    /// The empty answer to a command.
    fileprivate static func upload(
        _ status: UploadStatus,
        _ addFields: (inout HTTPFields) -> Void = { _ in }
    ) -> Response {
        var response = Response.text("", contentType: "text/plain; charset=utf-8", status: 200)
        response.headers.set("X-Goog-Upload-Status", to: status.rawValue)
        addFields(&response.headers)
        return response
    }

    /// The words recorded from production in 2026; the upload stays active.
    fileprivate static func wrongOffset(_ offset: Int64, insteadOf byteCount: Int64) -> Response {
        .text(
            "Client uploaded to the wrong offset (\(offset) instead of \(byteCount)).",
            contentType: "text/plain; charset=utf-8",
            status: 400
        )
    }
}
