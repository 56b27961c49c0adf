// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import MeterLedger
import Wire

/// Why the console refuses a request: answered as an error in the form of Google's JSON interfaces.
struct ConsoleFailure: Error {
    let status: Int
    /// What is wrong and how to remedy it.
    let message: String
    /// The method that the path takes, when it was another.
    var allowed: HTTPRequest.Method?

    static let notFound = Self(status: 404, message: "Not Found: there are /emulators, /usage and /usage/marks.")

    static let brokenQuery = Self(status: 400, message: "The query holds a broken percent escape.")

    static let notMetered = Self(
        status: 409,
        message: "Nothing is metered: the emulator was started with --no-meter."
    )

    static func methodNotAllowed(but allowed: HTTPRequest.Method) -> Self {
        Self(status: 405, message: "Method Not Allowed: only \(allowed.rawValue) is.", allowed: allowed)
    }

    static func unknownDimension(_ name: String) -> Self {
        let known = UsageDimension.allCases.map(\.rawValue).joined(separator: ", ")
        return Self(status: 400, message: "Usage cannot be grouped by '\(name)'; it can be by \(known).")
    }

    static func unknownMark(_ mark: String) -> Self {
        Self(status: 400, message: "'\(mark)' is no mark that POST /usage/marks returned.")
    }

    static func bodyTooLarge(limit: Int64) -> Self {
        Self(status: 413, message: "The console takes bodies of at most \(limit) bytes.")
    }

    static func unexpected(_ error: any Error) -> Self {
        Self(status: 500, message: "\(error)")
    }

    var response: Response {
        let error: JSONText = .object([("code", .integer(Int64(status))), ("message", .string(message))])
        var response = Response.json(.object([("error", error)]), status: status, isIndented: false)
        if let allowed { response.headers[.allow] = allowed.rawValue }
        return response
    }
}
