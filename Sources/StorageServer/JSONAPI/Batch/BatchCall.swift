// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// One call of a batch, as its part of the body says.
struct BatchCall: Equatable, Sendable {
    var method: HTTPRequest.Method
    /// The path and query; of an absolute URL, what stands behind the host.
    var target: String
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// The client's id of the part.
    var contentID: String?

    /// The id of the part that answers: `response-` and the call's own, within the angle brackets if there are some.
    ///
    /// Source: https://cloud.google.com/storage/docs/batch (2026-11).
    var responseContentID: String? {
        contentID.map { $0.hasPrefix("<") ? "<response-\($0.dropFirst())" : "response-\($0)" }
    }
}

extension BatchCall {
    /// The fields of the batch's own header that concern the connection and the body, not the calls.
    private static let ownNames: Set<HTTPField.Name> = [
        .connection, .expect, .te, .trailer, .transferEncoding, .upgrade,
    ]

    /// Whether the call may stand in a batch: to a method of the JSON API that moves no bytes of objects.
    ///
    /// Source: https://cloud.google.com/storage/docs/batch, "Cloud Storage does not support batch operations for
    /// uploading or downloading" (2026-11).
    var isAllowed: Bool {
        guard let target = RequestTarget(target), !target.asksForMedia, target[.uploadType] == nil else {
            return false
        }
        return ["/storage/v1/", "/b/", "/projects/"].contains { target.path.hasPrefix($0) } || target.path == "/b"
    }

    /// The request that the call stands for.
    ///
    /// It inherits the query and the header of the batch, but for the fields `Content-…`; what the call says itself
    /// counts more.
    func request(in batch: StorageCall) -> Request {
        var head = batch.request.head
        head.method = method
        head.path = target(inheriting: head.path)
        head.headerFields = headers(inheriting: head.headerFields)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    /// Of two parameters of a name the first counts.
    private func target(inheriting outer: String?) -> String {
        guard let query = outer?.split(separator: "?", maxSplits: 1).dropFirst().first else { return target }
        return target + (target.contains("?") ? "&" : "?") + query
    }

    private func headers(inheriting outer: HTTPFields) -> HTTPFields {
        var fields = HTTPFields()
        for field in outer where !Self.isOwn(field.name) && headers[field.name] == nil { fields.append(field) }
        for field in headers where !Self.ownNames.contains(field.name) { fields.append(field) }
        fields[.contentLength] = String(body.count)
        return fields
    }

    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-") || ownNames.contains(name)
    }
}
