// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// The resumable protocol of Google's JSON and XML APIs: `Content-Range`, and 308 while bytes are missing.
extension ObjectUploads {
    /// Begins an upload.
    func startChunks(_ plan: UploadPlan, for call: StorageCall) async throws -> Response {
        var plan = plan
        plan.requested = String(
            decoding: try await WholeBody(of: call.request).collected(upTo: ObjectChanges.byteCountMax),
            as: UTF8.self
        )
        plan.mediaType = call["X-Upload-Content-Type"]
        plan.byteCount = call["X-Upload-Content-Length"].flatMap(Int64.init)
        let upload = try await beginSession(plan, for: call)
        let target = call.request.head.path ?? ""
        var response = Response.text("", contentType: "text/plain; charset=utf-8")
        response.headers[.location] = "\(call.origin)\(target)&upload_id=\(upload.id)"
        return response
    }

    /// Takes a chunk, or answers how far the upload has come.
    func continueChunks(_ call: StorageCall) async throws -> Response {
        let (upload, plan) = try await session(call)
        switch try await blockingWork({ try upload.progress() }) {
        case .cancelled: return .clientClosedRequest
        case .completed(let path, let generation, _):
            return try await uploaded(result(at: path, generation: generation), plan: plan, for: call)
        case .active(let byteCount):
            let range = try call.contentRange
            if let range, range.first == nil, range.total != byteCount {
                return try await incomplete(upload, for: call)
            }
            return try await take(range, upload: upload, plan: plan, for: call)
        }
    }

    private func take(
        _ range: ContentRange?,
        upload: ResumableUpload,
        plan: UploadPlan,
        for call: StorageCall
    ) async throws -> Response {
        let (turn, progress) = try await takeTurn(in: upload)
        // The former holder of the turn may have ended the upload meanwhile.
        guard case .active(let stored) = progress else { return try await continueChunks(call) }
        let first = range.map { $0.first ?? stored } ?? 0
        guard first <= stored else { throw StorageFailure.gap(from: first, stored: stored) }
        if let range, range.total == nil, let promised = range.byteCount, promised < Self.chunkGranularity {
            throw StorageFailure.smallChunk(promised)
        }
        let received = try await append(call, to: upload, turn: turn, skipping: stored - first)
        if let promised = range?.byteCount, received != promised {
            throw StorageFailure.shortChunk(received, insteadOf: promised, from: first)
        }
        let end = max(stored, first + received)
        // Without a range, and without an end of one, the body is all there is.
        let total = range == nil || (range?.last == nil && range?.first != nil) ? end : range?.total
        guard let total else { return try await incomplete(upload, for: call) }
        guard end <= total, plan.byteCount ?? total == total else { throw StorageFailure.wrongTotal(total, end: end) }
        guard end == total else { return try await incomplete(upload, for: call) }
        return try await uploaded(finish(upload, plan: plan, turn: turn, for: call), plan: plan, for: call)
    }

    /// Gives an upload up: 499, as production answers.
    func cancelChunks(_ call: StorageCall) async throws -> Response {
        let (upload, _) = try await session(call)
        try await blockingWork { try upload.cancel() }
        return .clientClosedRequest
    }

    private func incomplete(_ upload: ResumableUpload, for call: StorageCall) async throws -> Response {
        let digest = try await blockingWork { try upload.runningDigest() }
        var response = Response.text("", contentType: "text/plain; charset=utf-8", status: 308)
        // The name that Google gave to 308 before RFC 7538 gave it another.
        response.status = HTTPResponse.Status(code: 308, reasonPhrase: "Resume Incomplete")
        if digest.byteCount > 0 {
            response.headers[.range] = "bytes=0-\(digest.byteCount - 1)"
            response.headers.set("X-Goog-Running-Hash", to: "crc32c=\(digest.sums.crc32cBase64)")
            if let md5 = digest.sums.md5Hex { response.headers.set("X-Range-MD5", to: md5) }
        }
        guard call["X-Guploader-No-308"]?.lowercased() == "yes" else { return response }
        response.status = .ok
        response.headers.set("X-Http-Status-Code-Override", to: "308")
        return response
    }
}

extension StorageCall {
    fileprivate var contentRange: ContentRange? {
        get throws(StorageFailure) {
            guard let header = request.headers[.contentRange] else { return nil }
            guard let range = ContentRange(header) else { throw .invalid("Failed to parse Content-Range header.") }
            return range
        }
    }
}

extension Response {
    fileprivate static var clientClosedRequest: Response {
        Response(status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"))
    }
}

/// The words of production, as users quote them.
extension StorageFailure {
    fileprivate static func gap(from first: Int64, stored: Int64) -> Self {
        invalid(
            "Invalid request. According to the Content-Range header, the upload offset is \(first) byte(s),"
                + " which exceeds already uploaded size of \(stored) byte(s)."
        )
    }

    fileprivate static func shortChunk(_ received: Int64, insteadOf promised: Int64, from first: Int64) -> Self {
        invalid(
            "Invalid request. There were \(received) byte(s) in the request body. There should have been"
                + " \(promised) byte(s) (starting at offset \(first) and ending at offset \(first + promised - 1))"
                + " according to the Content-Range header."
        )
    }

    fileprivate static func smallChunk(_ received: Int64) -> Self {
        let unit = ObjectUploads.chunkGranularity
        return invalid(
            "Invalid request. The number of bytes uploaded is required to be equal or greater than \(unit), except for"
                + " the final request (it's recommended to be the exact multiple of \(unit)). The received request"
                + " contained \(received) bytes, which does not meet this requirement."
        )
    }

    fileprivate static func wrongTotal(_ total: Int64, end: Int64) -> Self {
        invalid("Invalid request. The object is said to have \(total) byte(s), but \(end) byte(s) were uploaded.")
    }
}
