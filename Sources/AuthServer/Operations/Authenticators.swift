// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Basics
import Foundation
import JSON

/// Authenticator apps, whose codes change every 30 seconds.
extension AuthOperations {
    /// The time in which an enrollment has to be finished (recorded from production by others, 2026-09).
    private static let enrollmentSeconds: Int64 = 900

    /// Makes the secret that the app and the server are to share.
    func startAuthenticator(of user: Account) -> JSONText {
        let secret = Base32.encode((0..<20).map { _ in UInt8.random(in: 0...255) })
        let deadline = context.clock.milliseconds + Self.enrollmentSeconds * 1_000
        let session = JSONText.object([
            ("localId", .string(user.localID)), ("secret", .string(secret)), ("deadline", .integer(deadline)),
        ])
        return .object([
            (
                "totpSessionInfo",
                .object([
                    ("sharedSecretKey", .string(secret)),
                    ("verificationCodeLength", .integer(Int64(OneTimePassword.digitCount))),
                    ("hashingAlgorithm", "SHA1"), ("periodSec", .integer(OneTimePassword.periodSeconds)),
                    ("sessionInfo", .string(Data(session.rendered(isIndented: false).utf8).webSafeBase64)),
                    ("finalizeEnrollmentTime", .string(factorTime(deadline))),
                ])
            )
        ])
    }

    /// The factor that a first code from the app makes.
    func newAuthenticator(of user: Account, _ settings: AuthSettings) throws(AuthFailure) -> SecondFactor {
        let isProduction = context.profile.isProduction
        guard let info = try body.object("totpVerificationInfo") else { throw .bad("MISSING_CODE") }
        let code = try info.filled("verificationCode")
        if !isProduction { try require(code != nil, "MISSING_CODE") }
        let text = try require(
            try info.filled("sessionInfo"),
            isProduction ? "INVALID_SESSION_INFO" : "MISSING_SESSION_INFO"
        )
        guard let bytes = Data(webSafeBase64: text), let session = try? JSONValue(parsing: Array(bytes)),
            session["localId"]?.string == user.localID, let secret = session["secret"]?.string,
            let deadline = session["deadline"]?.integer
        else { throw .bad("INVALID_SESSION_INFO") }
        let displayName = try body.filled("displayName")
        try require(!isProduction || displayName != nil, "MISSING_DISPLAY_NAME : display name cannot be empty")
        guard let code else { throw .bad("MISSING_CODE") }
        try require(context.clock.milliseconds <= deadline, "SESSION_EXPIRED")
        let hasApp = user.secondFactors?.contains { $0.sharedSecret != nil } == true
        try require(!isProduction || !hasApp, "TOO_MANY_ENROLLMENT_ATTEMPTS : restart enrollment")
        let interval = try check(code, secret: secret, after: nil, settings)
        var factor = SecondFactor(
            id: UUID().uuidString.lowercased(),
            displayName: displayName,
            enrolledAt: enrollmentTime,
            sharedSecret: secret
        )
        if isProduction { factor.lastInterval = interval }
        return factor
    }

    /// The factor whose code a user shows to sign in.
    func shownAuthenticator(of user: Account, _ settings: AuthSettings) throws(AuthFailure) -> SecondFactor {
        let id = try require(
            try body.filled("mfaEnrollmentId"),
            invalid("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.")
        )
        let factor = user.secondFactors?.first { $0.id == id && $0.sharedSecret != nil }
        guard var factor, let secret = factor.sharedSecret else { throw .bad(unknownFactor) }
        guard let info = try body.object("totpVerificationInfo") else { throw .bad(invalid("MISSING_CODE")) }
        let code = try require(try info.filled("verificationCode"), invalid("MISSING_CODE"))
        let interval = try check(code, secret: secret, after: factor.lastInterval, settings)
        if context.profile.isProduction { factor.lastInterval = interval }
        return factor
    }

    /// The interval of a code that is right, and later than the last one that was taken.
    private func check(
        _ code: String,
        secret: String,
        after last: Int64?,
        _ settings: AuthSettings
    ) throws(AuthFailure) -> Int64 {
        let interval = context.clock.seconds / OneTimePassword.periodSeconds
        let adjacent = min(settings.authenticatorIntervals ?? 0, 10)
        guard let key = Base32.decode(secret),
            let shown = (interval - adjacent...interval + adjacent).first(where: {
                $0 > last ?? .min && OneTimePassword.code(key: key, counter: $0) == code
            })
        else { throw .bad("INVALID_CODE") }
        return shown
    }
}
