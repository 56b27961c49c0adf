// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Loads one image from the network: resumes where an earlier download broke off, asks only whether it has changed when it
/// is known, tries again when that may help, and holds what came against the server's checksum.
struct ImageFetch: Sendable {
    /// The most bytes of an image, however many responses bring them.
    static let imageByteCountMax = URLSessionTransport.responseByteCountMax

    let key: String
    let subject: String
    let request: TransportRequest
    /// The image that a cache holds and whose server may have another by now.
    let known: CachedImage?
    /// The beginning of the image that a cache holds, which is resumed.
    let head: CachedImage?
    /// Whether only the beginning of the image is asked for.
    let isPrefix: Bool
    let transport: any HTTPTransport
    /// The bytes of refusals that the transport has read.
    let refusedByteCount: @Sendable () -> Int
    let retries: RetryPolicy
    let partials: PartialStore
    let environment: PipelineEnvironment
    let progress: ProgressRelay

    func run() async -> FetchReport {
        let download = PartialDownload(key: key, store: partials)
        var bytes = FetchBytes(resumed: download.data.count)
        if let head, download.data.isEmpty {
            download.begin(entityTag: head.entityTag, wholeByteCount: nil)
            download.append(head.data)
        }
        let result = await result(of: download, counting: &bytes)
        switch result {
        case .image: break
        case .notModified: download.discard()
        case .failure, .cancelled:
            bytes.isKept = download.keep()
        }
        bytes.lost += refusedByteCount()
        return FetchReport(result: result, bytes: bytes, isHeadWrong: head != nil && download.wasThrownAway)
    }

    private func result(of download: PartialDownload, counting bytes: inout FetchBytes) async -> FetchReport.Result {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try await self.attempt(download, counting: &bytes)
            } catch let failure as FetchFailure {
                guard failure.isTransient, let delay = delay(afterAttempt: attempt, of: failure) else {
                    return .failure(failure.error)
                }
                do { try await environment.sleep(delay) } catch { return .cancelled }
            } catch {
                return .cancelled
            }
        }
    }

    private func delay(afterAttempt attempt: Int, of failure: FetchFailure) -> Duration? {
        retries.delay(
            afterAttempt: attempt,
            serverAsksFor: failure.serverAsksFor,
            unitInterval: environment.unitInterval()
        )
    }

    private func attempt(
        _ download: PartialDownload,
        counting bytes: inout FetchBytes
    ) async throws -> FetchReport.Result {
        download.leaveLastByte()
        let response = try await response(to: conditional(download))
        let freshness = Freshness(response.headers)
        switch response.status {
        case 304 where known != nil:
            _ = try await collected(response, counting: &bytes)
            return .notModified(freshUntil: freshness.freshUntil(from: environment.now()))
        case 200: try await begin(download, with: response, counting: &bytes)
        case 206 where isPrefix && !download.isResumable:
            try await beginPrefix(download, with: response, counting: &bytes)
        case 206: try await resume(download, with: response, counting: &bytes)
        default:
            let body = try await collected(response, counting: &bytes)
            if response.status == 416 {
                bytes.loseImage()
                download.throwAway()
            }
            var failure = FetchFailure.refused(subject, response: response, body: body)
            if response.status == 416 { failure.isTransient = true }
            throw failure
        }
        try verify(download, against: response, counting: &bytes)
        if let other = ForeignContent.name(of: download.data, contentType: response.headers["Content-Type"]) {
            bytes.loseImage()
            download.discard()
            throw FetchFailure(error: .notAnImage(subject, but: other))
        }
        return .image(try finished(download, with: response))
    }

    private func conditional(_ download: PartialDownload) -> TransportRequest {
        var request = request
        if download.isWantedWhole { request.headers["Range"] = nil }
        if download.isResumable {
            request.resume(afterByteCount: download.data.count, entityTag: download.entityTag)
        } else if let known {
            request.revalidate(known.entityTag)
        }
        return request
    }

    private func response(to request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        do {
            return try await transport.send(request)
        } catch {
            try Task.checkCancellation()
            throw FetchFailure.transport(subject, because: error)
        }
    }

    private func begin(
        _ download: PartialDownload,
        with response: TransportResponse,
        counting bytes: inout FetchBytes
    ) async throws {
        bytes.loseImage()
        let isEncoded = response.headers.isContentEncoded
        let isKept = !isEncoded && Freshness(response.headers).isStorable
        download.begin(
            entityTag: isKept ? response.headers["ETag"] ?? "" : "",
            wholeByteCount: isEncoded ? nil : response.headers["Content-Length"].flatMap { Int($0) }
        )
        try await read(response, into: download, counting: &bytes)
    }

    /// Takes the first bytes, which are not kept when they break off: there are few.
    private func beginPrefix(
        _ download: PartialDownload,
        with response: TransportResponse,
        counting bytes: inout FetchBytes
    ) async throws {
        bytes.loseImage()
        guard let range = ContentRange(response.headers["Content-Range"]), range.start == 0,
            !response.headers.isContentEncoded
        else {
            download.isWantedWhole = true
            throw FetchFailure(error: .responseUnreadable(subject, problem: "another part came than was asked for"))
        }
        download.begin(entityTag: "", wholeByteCount: range.byteCount)
        try await read(response, into: download, counting: &bytes)
    }

    private func resume(
        _ download: PartialDownload,
        with response: TransportResponse,
        counting bytes: inout FetchBytes
    ) async throws {
        guard download.isResumable, let range = ContentRange(response.headers["Content-Range"]),
            range.start == download.data.count, !response.headers.isContentEncoded,
            response.headers["ETag"].map({ $0 == download.entityTag }) ?? true,
            download.expect(wholeByteCount: range.wholeByteCount)
        else {
            bytes.loseImage()
            download.discard()
            throw FetchFailure(error: .responseUnreadable(subject, problem: "another part came than was asked for"))
        }
        try await read(response, into: download, counting: &bytes)
    }

    private func read(
        _ response: TransportResponse,
        into download: PartialDownload,
        counting bytes: inout FetchBytes
    ) async throws {
        try checkSize(download, counting: &bytes)
        do {
            for try await piece in response.body {
                download.append(piece)
                bytes.image += piece.count
                try checkSize(download, counting: &bytes)
                progress.report(download.data.count, of: download.wholeByteCount)
            }
        } catch let failure as FetchFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw FetchFailure.transport(subject, because: error)
        }
    }

    /// Refuses images that are too large, whatever part of them came before.
    private func checkSize(_ download: PartialDownload, counting bytes: inout FetchBytes) throws {
        guard max(download.data.count, download.wholeByteCount ?? 0) > Self.imageByteCountMax else { return }
        bytes.loseImage()
        download.discard()
        throw FetchFailure(error: .responseTooLarge(byteCountMax: Self.imageByteCountMax), isTransient: false)
    }

    private func collected(_ response: TransportResponse, counting bytes: inout FetchBytes) async throws -> Data {
        do {
            var body = Data()
            for try await piece in response.body {
                bytes.lost += piece.count
                body.append(piece)
            }
            return body
        } catch {
            try Task.checkCancellation()
            throw FetchFailure.transport(subject, because: error)
        }
    }

    private func verify(
        _ download: PartialDownload,
        against response: TransportResponse,
        counting bytes: inout FetchBytes
    ) throws {
        if let wholeByteCount = download.wholeByteCount, download.data.count < wholeByteCount {
            let problem = "\(download.data.count) of \(wholeByteCount) bytes came"
            throw FetchFailure(error: .responseUnreadable(subject, problem: problem))
        }
        let isTooLong = download.wholeByteCount.map { download.data.count > $0 } ?? false
        // The checksum is the whole object's.
        let isPart = isPrefix && response.status == 206
        let isOther = !isPart && response.headers.bodyCRC32C.map { $0 != download.data.crc32c } ?? false
        guard isTooLong || isOther else { return }
        bytes.loseImage()
        download.throwAway()
        throw FetchFailure(error: .damaged(subject))
    }

    private func finished(_ download: PartialDownload, with response: TransportResponse) throws -> FetchedImage {
        let freshness = Freshness(response.headers)
        let entityTag = response.headers["ETag"] ?? download.entityTag
        let freshUntil = freshness.freshUntil(from: environment.now())
        // A disk that is full does not keep the image from the screen.
        let file = freshness.isStorable ? try? download.finish(freshUntil: freshUntil, entityTag: entityTag) : nil
        let image = CachedImage(data: download.data, entityTag: entityTag, freshUntil: freshUntil)
        if !freshness.isStorable { download.discard() }
        return FetchedImage(
            image: image,
            generation: response.headers.servedGeneration,
            file: file,
            isStorable: freshness.isStorable
        )
    }
}

extension HeaderFields {
    fileprivate var isContentEncoded: Bool { (self["Content-Encoding"] ?? "identity") != "identity" }

    /// The CRC-32C of the whole object, if its bytes come as they are stored.
    fileprivate var bodyCRC32C: UInt32? {
        guard !isContentEncoded, (self["x-goog-stored-content-encoding"] ?? "identity") == "identity",
            let hash = self["x-goog-hash"]?.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) })
                .first(where: { $0.hasPrefix("crc32c=") }),
            let bytes = Data(base64Encoded: String(hash.dropFirst(7))), bytes.count == 4
        else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
