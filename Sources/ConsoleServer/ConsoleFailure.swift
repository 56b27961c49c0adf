// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import HTTPTypes
import HummingbirdCore
import JSON
import MeterLedger
import Wire

/// Why the console refuses a request: answered as an error in the form of Google's JSON interfaces.
struct ConsoleFailure: Error {
    let status: Int
    /// The problem, and how to remedy it.
    let message: String
    /// The method that the path takes, when it was another.
    var allowed: HTTPRequest.Method?

    static let notFound = Self(
        status: 404,
        message: """
            Not Found: there are /emulators, /metrics, /quota, /usage, /usage/events, /usage/functions, /usage/kernel, \
            /usage/marks and /usage/rules; docs/console.md lists what is below /console.
            """
    )

    static let brokenQuery = Self(status: 400, message: "The query holds a broken percent escape.")

    static let notMetered = Self(
        status: 409,
        message: "Nothing is metered: the emulator was started with --no-meter."
    )

    static func foreignPage(_ reason: String) -> Self {
        Self(status: 403, message: "Forbidden: \(reason)")
    }

    static func methodNotAllowed(but allowed: HTTPRequest.Method) -> Self {
        Self(status: 405, message: "Method Not Allowed: only \(allowed.rawValue) is.", allowed: allowed)
    }

    static func unknownChoice(_ parameter: String, text: String, known: [String]) -> Self {
        Self(
            status: 400,
            message: "The parameter '\(parameter)' cannot be '\(text)'; it can be \(known.joined(separator: ", "))."
        )
    }

    static func unknownParameter(_ parameter: String, known: [String]) -> Self {
        let meant = known.word(similarTo: parameter).map { "; did you mean '\($0)'?" }
        return Self(
            status: 400,
            message: "There is no parameter '\(parameter)'" + (meant ?? "; there are \(known.joined(separator: ", ")).")
        )
    }

    static func badLimit(_ text: String) -> Self {
        let most = UsageQuestion.Grouping.limitMax
        return Self(
            status: 400,
            message: "The parameter 'limit' cannot be '\(text)'; it is a number of groups, at most \(most)."
        )
    }

    static func badStep(_ text: String) -> Self {
        Self(status: 400, message: "The parameter 'every' cannot be '\(text)'; it is a time such as 1m, 6h or 1d.")
    }

    static func badMark(_ error: UsageLedgerError) -> Self {
        Self(status: error.code == .lateMark ? 410 : 400, message: error.message)
    }

    static let forgottenMark = Self(
        status: 410,
        message: """
            Downloads are counted since the last \(RepeatedDownloads.markCountMax) marks of this run; this is none of them.
            """
    )

    static func unknownMark(_ mark: String) -> Self {
        Self(status: 400, message: "'\(mark)' is no mark that POST /usage/marks returned.")
    }

    static func bodyTooLarge(limit: Int64) -> Self {
        Self(status: 413, message: "The console takes bodies of at most \(limit) bytes.")
    }

    static func unexpected(_ error: any Error) -> Self {
        Self(status: 500, message: "\(error)")
    }

    var body: JSONText {
        let error: JSONText = .object([("code", .integer(Int64(status))), ("message", .string(message))])
        return .object([("error", error)])
    }

    var response: Response {
        var response = Response.json(body, status: status, isIndented: false)
        if let allowed { response.headers[.allow] = allowed.rawValue }
        return response
    }
}
