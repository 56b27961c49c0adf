// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// The answer to one call of a batch, as a part of the batch's own.
struct BatchAnswer {
    private let response: Response
    private let body: ByteBuffer

    init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(collector)
        self.response = response
        body = collector.bytes
    }

    /// The part, from its boundary through the line end before the next.
    func part(boundary: String, contentID: String?) -> ByteBuffer {
        var fields = response.headers
        // Of a HEAD too: a part must be what it says.
        fields[.contentLength] = String(body.readableBytes)
        var lines = ["--\(boundary)", "Content-Type: application/http"]
        if let contentID { lines.append("Content-ID: \(contentID)") }
        lines += ["", "HTTP/1.1 \(response.status.code) \(Self.reasonPhrase(response.status))"]
        lines += fields.map { "\($0.name.rawName): \($0.value)" }
        var part = ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
        part.writeImmutableBuffer(body)
        part.writeString("\r\n")
        return part
    }

    /// The phrase of a status, without which Python's client cannot read the line.
    private static func reasonPhrase(_ status: HTTPResponse.Status) -> String {
        let known: [HTTPResponse.Status] = [
            .ok, .created, .accepted, .noContent, .partialContent, .notModified, .temporaryRedirect, .permanentRedirect,
            .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .requestTimeout, .conflict, .gone,
            .lengthRequired, .preconditionFailed, .contentTooLarge, .rangeNotSatisfiable, .tooManyRequests,
            .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
        ]
        return known.first { $0.code == status.code }?.reasonPhrase ?? "Unknown"
    }
}
