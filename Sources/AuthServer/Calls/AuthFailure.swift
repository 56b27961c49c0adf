// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import Wire

/// The refusal of a call, in the form in which Identity Toolkit words it.
///
/// SDKs read nothing but the message, up to " : ".
struct AuthFailure: Error, Equatable {
    let status: Int
    let message: String
    /// The canonical name of the status; a plain 400 has none.
    var statusName: String?
    var reason = "invalid"
    var detail: String?
    var location: String?
    /// The place in the body of a member that was refused; empty for the body as a whole.
    var field: String?

    /// A call that is to fail; SDKs know no such code, and report an internal error, or a network error from 500 on.
    static func planned(_ status: Int) -> Self { Self(status: status, message: "PLANNED_FAULT : \(status)") }

    /// A refusal for what the call says.
    static func bad(_ message: String) -> Self { Self(status: 400, message: message) }

    /// A body that is not what the method takes.
    static func payload(_ detail: String, reason: String = "invalid") -> Self {
        Self(
            status: 400,
            message: "Invalid JSON payload received. \(detail)",
            statusName: "INVALID_ARGUMENT",
            reason: reason
        )
    }

    /// A member that production refuses for its form, with its place.
    static func badRequest(_ message: String, at field: String) -> Self {
        Self(status: 400, message: message, statusName: "INVALID_ARGUMENT", field: field)
    }

    static func unknownName(_ name: String, at field: String) -> Self {
        badRequest(
            "Invalid JSON payload received. Unknown name \(JSONText.quoted(name)) at '\(field)': Cannot find field.",
            at: field
        )
    }

    static func invalidValue(_ value: JSONValue, type: String, at field: String) -> Self {
        badRequest(
            "Invalid value at '\(field)' (\(type)), \(String(decoding: value.encoded, as: UTF8.self))",
            at: field
        )
    }

    static let notFound = Self(status: 404, message: "Not Found", statusName: "NOT_FOUND", reason: "notFound")

    /// A tenant that is not there; calls of its users are refused with `TENANT_DELETED`.
    static let unknownTenant = Self(
        status: 404,
        message: "TENANT_NOT_FOUND",
        statusName: "NOT_FOUND",
        reason: "notFound"
    )

    static func notImplemented(_ message: String) -> Self {
        Self(status: 501, message: message, statusName: "NOT_IMPLEMENTED", reason: "unimplemented")
    }

    /// A call without a key and without credentials, in production's words.
    static let unregisteredCaller = Self(
        status: 403,
        message:
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or "
            + "other form of API consumer identity to call this API.",
        statusName: "PERMISSION_DENIED",
        reason: "forbidden"
    )

    static let missingKey = Self(
        status: 403,
        message: "The request is missing a valid API key.",
        statusName: "PERMISSION_DENIED",
        reason: "forbidden"
    )

    static let invalidCredentials = Self(
        status: 401,
        message: "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other "
            + "valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        statusName: "UNAUTHENTICATED",
        reason: "authError",
        detail: "Invalid Credentials",
        location: "Authorization"
    )

    static func internalError(_ message: String) -> Self {
        Self(status: 500, message: message, statusName: "INTERNAL", reason: "internalError")
    }

    static func unavailable(_ message: String) -> Self {
        Self(status: 503, message: message, statusName: "UNAVAILABLE", reason: "backendError")
    }

    static func bodyTooLarge(limit: Int64) -> Self {
        Self(status: 413, message: "The body has more than \(limit) bytes.", reason: "uploadTooLarge")
    }

    /// The member that was refused (`google.rpc.BadRequest`).
    var details: JSONText? {
        field.map { field in
            let violation: [(String, JSONText?)] = [
                ("field", field.isEmpty ? nil : .string(field)), ("description", .string(message)),
            ]
            return .array([
                .object([
                    ("@type", "type.googleapis.com/google.rpc.BadRequest"),
                    ("fieldViolations", .array([.object(compacting: violation)])),
                ])
            ])
        }
    }

    /// The answer's body.
    var json: JSONText {
        let place: [(String, JSONText?)] = [
            ("message", .string(detail ?? message)), ("reason", .string(reason)),
            ("domain", field != nil || reason == "notFound" || reason == "unimplemented" ? nil : "global"),
            ("location", location.map(JSONText.string)), ("locationType", location.map { _ in "header" }),
        ]
        let error: [(String, JSONText?)] = [
            ("code", .integer(Int64(status))), ("message", .string(message)),
            ("errors", .array([.object(compacting: place)])), ("status", statusName.map(JSONText.string)),
            ("details", details),
        ]
        return .object([("error", .object(compacting: error))])
    }

    var response: Response { .json(json, status: status) }

    /// The answer of Secure Token and of version 2 in production, which has a status in the place of a list.
    var briefResponse: Response {
        let error: [(String, JSONText?)] = [
            ("code", .integer(Int64(status))), ("message", .string(message)),
            ("status", .string(statusName ?? "INVALID_ARGUMENT")), ("details", details),
        ]
        return .json(.object([("error", .object(compacting: error))]), status: status)
    }

    /// The answer of production's front end to a path that it does not know.
    static let unknownPage = Response.text(
        "<!DOCTYPE html>\n<html lang=en>\n  <title>Error 404 (Not Found)!!1</title>\n  <p><b>404.</b> That's an error.\n",
        contentType: "text/html; charset=UTF-8",
        status: 404
    )
}

/// Throws a refusal unless a condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(AuthFailure) {
    guard condition else { throw .bad(message()) }
}

/// Returns a value that must be there.
func require<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws(AuthFailure) -> Value {
    guard let value else { throw .bad(message()) }
    return value
}
