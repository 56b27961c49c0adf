// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension StorageFailure {
    /// How an API words its failures.
    enum Form {
        /// The v0 API: JSON of a code and a message.
        case firebase
        /// The JSON API: the same with a list of errors.
        case json
        /// Uploads to the JSON API: the same, but for what the servers for uploads answer themselves.
        case upload
        /// Media requests to the JSON API: the bare message (recorded from production in 2026).
        case text
    }

    /// The answer in the given form, its JSON written as the client wants it.
    func response(in form: Form, as answerForm: AnswerForm = AnswerForm(isIndented: true)) -> Response {
        if self == .notModified { return Self.notModified(in: form) }
        return switch form {
        case .firebase where isBare || uploadServerForm == form: plainRefusal
        case .upload where isBare: .text(message, contentType: Self.markupType, status: status)
        case .upload where uploadServerForm == form: markupRefusal
        case .firebase:
            .json(.object([("error", .object(summary(firebaseMessage ?? message)))]), status: status, in: answerForm)
        case .json, .upload: .json(whole(detail), status: status, in: answerForm)
        case .text: .text(message, contentType: Self.markupType, status: status)
        }
    }

    /// The text of the answer in the form of the JSON API.
    var json: JSONText { whole(detail) }

    private static let markupType = "text/html; charset=UTF-8"

    /// Nothing but the media type, which is not that of the object (recorded 2026).
    private static func notModified(in form: Form) -> Response {
        let contentType: String? =
            switch form {
            case .firebase: nil
            case .json, .upload: "application/json"
            case .text: ObjectAttributes.contentTypeDefault
            }
        var response = Response(status: .notModified)
        response.headers[.contentType] = contentType
        return response
    }

    /// The servers for uploads before the v0 API: the bare message (recorded 2026).
    private var plainRefusal: Response {
        let text = firebaseMessage ?? message
        var response = Response.text(text, contentType: "text/plain; charset=utf-8", status: status)
        response.headers.allowAnyOrigin(
            exposing: "Content-Length, Content-Type, Date, Server, Transfer-Encoding,"
                + " X-GUploader-UploadID, X-Google-Trace"
        )
        return response
    }

    /// The servers for uploads before the JSON API: JSON without a blank that calls itself HTML (recorded 2026).
    private var markupRefusal: Response {
        let detail: [(String, JSONText)] = [
            ("message", .string(message)), ("domain", "global"), ("reason", "invalid"),
        ]
        return .text(whole(.object(detail)).rendered(isIndented: false), contentType: Self.markupType, status: status)
    }

    private func whole(_ detail: JSONText) -> JSONText {
        .object([("error", .object(summary(message) + [("errors", .array([detail]))]))])
    }

    private func summary(_ message: String) -> [(String, JSONText)] {
        [("code", .integer(Int64(status))), ("message", .string(message))]
    }

    private var detail: JSONText {
        let (locationType, location): (JSONText?, JSONText?) =
            switch location {
            case .parameter(let name): ("parameter", .string(name))
            case .header(let name): ("header", .string(name))
            case nil: (nil, nil)
            }
        return .object(compacting: [
            ("message", .string(message)),
            ("domain", "global"),
            ("reason", .string(reason)),
            ("locationType", locationType),
            ("location", location),
        ])
    }
}
