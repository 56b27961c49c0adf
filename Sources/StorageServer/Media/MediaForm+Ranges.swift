// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

/// How an API answers ranges; the differences were recorded from production in 2026.
extension MediaForm {
    /// The header fields of a part; the JSON API gives no checksums of the whole with it.
    func partFields(_ whole: HTTPFields, contentRange: String) -> HTTPFields {
        var fields = whole
        fields[.contentRange] = contentRange
        if case .json = self { fields.remove("x-goog-hash") }
        return fields
    }

    /// The last bytes of an empty object: all of it, or a part with a range that only Google could think of.
    func nothing(of object: ObjectMetadata, _ whole: HTTPFields) -> Response {
        guard case .json = self else { return Response(status: .ok, headers: whole) }
        var fields = partFields(whole, contentRange: "bytes 0-0/0")
        fields.set("x-goog-hash", "crc32c=\(object.digest.crc32cBase64)")
        return Response(status: .partialContent, headers: fields)
    }

    /// The 416.
    func rangeNotSatisfiable(_ range: String?, of object: ObjectMetadata, _ whole: HTTPFields) -> Response {
        switch self {
        case .firebase:
            var failure = XMLFailure.invalidRange
            failure.details = range
            return failure.response.adding(whole)
        case .xml:
            var response = XMLFailure.invalidRange.response
            response.headers[.contentRange] = "bytes */\(object.byteCount)"
            return response
        case .json:
            var response = Response.text(
                "Request range not satisfiable",
                contentType: "text/html; charset=UTF-8",
                status: 416
            )
            response.headers[.contentRange] = "bytes */\(object.byteCount)"
            return response
        }
    }
}

extension Response {
    /// Adds the description of an object beside an answer that is not its bytes.
    fileprivate func adding(_ fields: HTTPFields) -> Response {
        var response = self
        let ofBytes: Set<HTTPField.Name> = [.contentType, .contentEncoding, .contentLanguage, .cacheControl]
        for field in fields where !ofBytes.contains(field.name) { response.headers[field.name] = field.value }
        return response
    }
}
