// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import NIOCore
import Wire

/// Details of a sign-in, for functions that decide on it.
struct BlockingDetails {
    var method: String
    var secondFactor: String?
    /// JSON of what an identity provider says of the user.
    var rawUserInfo: String?
    /// JSON of SAML's attributes.
    var signInAttributes: String?
    var oauthIDToken: String?
    var oauthAccessToken: String?

    init(_ method: String) { self.method = method }
}

/// The changes that a function makes.
struct BlockingResponse {
    private var changes: [(inout Account) -> Void] = []
    private(set) var sessionClaims: [String: JSONValue] = [:]

    static var none: Self { Self() }

    private init() {}

    func apply(to account: inout Account) {
        for change in changes { change(&account) }
    }

    /// Reads the answer of a function.
    init(_ json: JSONValue, to event: BlockingEvent) throws(AuthFailure) {
        guard let record = json["userRecord"] else { return }
        guard let mask = record["updateMask"]?.string, !mask.isEmpty else {
            throw .bad("BLOCKING_FUNCTION_ERROR_RESPONSE : ((Response UserRecord is missing updateMask.))")
        }
        for field in mask.split(separator: ",") {
            switch field {
            case "displayName":
                let name = record["displayName"]?.primitiveText
                changes.append { $0.displayName = name }
            case "photoUrl":
                let url = record["photoUrl"]?.primitiveText
                changes.append { $0.photoURL = url }
            case "disabled":
                let isDisabled = record["disabled"]?.isTruthy ?? false
                changes.append { $0.isDisabled = isDisabled }
            case "emailVerified":
                let isVerified = record["emailVerified"]?.isTruthy ?? false
                changes.append { $0.isEmailVerified = isVerified }
            case "customClaims":
                guard let claims = record["customClaims"] else { throw .bad("INVALID_CLAIMS") }
                let text = String(decoding: claims.encoded, as: UTF8.self)
                try AccountRules.checkClaims(text)
                changes.append { $0.customAttributes = text }
            case "sessionClaims" where event == .beforeSignIn:
                if case .object(let claims)? = record["sessionClaims"] { sessionClaims = claims }
            default: break
            }
        }
    }
}

/// Asks functions that decide on sign-ins (`beforeCreate`, `beforeSignIn`).
struct BlockingFunctions {
    let context: AuthContext
    let scope: AccountScope
    let settings: AuthSettings

    /// The time that a function has on the official emulator.
    private static let timeoutSeconds: Int64 = 60
    /// The time that a function has in production
    /// (firebase.google.com/docs/auth/extend-with-blocking-functions, 2026-11).
    private static let productionTimeoutSeconds: Int64 = 7

    /// Asks the function for an event; none has nothing to say.
    func ask(
        _ event: BlockingEvent,
        _ account: Account,
        _ details: BlockingDetails
    ) async throws -> BlockingResponse {
        guard let url = settings.blockingFunction(for: event) else { return .none }
        let token = JSONWebToken.unsigned(payload(event, url, account, details))
        let body = JSONText.object([("data", .object([("jwt", .string(token))]))])
        let answer: HTTPAnswer
        do {
            answer = try await OutgoingCall.send(
                body.rendered(isIndented: false),
                contentType: "application/json",
                to: url,
                timeout: .seconds(isProduction ? Self.productionTimeoutSeconds : Self.timeoutSeconds)
            )
        } catch {
            throw failure(of: url, error)
        }
        guard (200..<300).contains(answer.status) else { throw refusal(by: url, answer) }
        guard let json = try? JSONValue(parsing: answer.body) else {
            throw AuthFailure.internalError(
                "BLOCKING_FUNCTION_ERROR_RESPONSE : ((Response body is not valid JSON.))"
            )
        }
        return try BlockingResponse(json, to: event)
    }

    private var isProduction: Bool { context.profile.isProduction }

    private func failure(of url: String, _ error: OutgoingCallError) -> AuthFailure {
        if isProduction, error.isTimeout {
            return .bad("BLOCKING_FUNCTION_ERROR_RESPONSE : Cloud function deadline exceeded.")
        }
        let reason = error.isTimeout ? "Deadline exceeded making request to" : "Failed to make request to"
        return .internalError("BLOCKING_FUNCTION_ERROR_RESPONSE : ((\(reason) \(url).))")
    }

    /// The refusal of a function; production's were recorded in September 2026.
    private func refusal(by url: String, _ answer: HTTPAnswer) -> AuthFailure {
        let body = String(decoding: answer.body, as: UTF8.self)
        guard isProduction else {
            return .bad(
                "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request to \(url) returned HTTP error \(answer.status): "
                    + "\(body)))"
            )
        }
        guard answer.status != 429, answer.status < 500 else {
            return AuthFailure(status: 503, message: "Error code: 47", reason: "backendError")
        }
        return .bad("BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: \(body)")
    }

    private func payload(
        _ event: BlockingEvent,
        _ url: String,
        _ account: Account,
        _ details: BlockingDetails
    ) -> JSONText {
        let now = context.clock.seconds
        let isForwardingAccess = settings.forwards("accessToken")
        return .object(compacting: [
            ("iss", .string("https://securetoken.google.com/\(scope.project)")), ("aud", .string(url)),
            // Ten times the time that the function has, as the official emulator's.
            ("iat", .integer(now)), ("exp", .integer(now + Self.timeoutSeconds * 10)),
            ("event_id", .string(context.random.code(16))), ("event_type", .string(event.rawValue)),
            ("user_agent", "NotYetSupportedInFirebaseAuthEmulator"), ("ip_address", "127.0.0.1"), ("locale", "en"),
            ("user_record", record(of: account)), ("sub", .string(account.localID)),
            ("sign_in_method", .string(details.method)),
            ("sign_in_second_factor", details.secondFactor.map(JSONText.string)),
            ("sign_in_attributes", details.signInAttributes.map(JSONText.string)),
            ("raw_user_info", details.rawUserInfo.map(JSONText.string)),
            ("tenant_id", scope.tenant.map(JSONText.string)),
            ("oauth_access_token", isForwardingAccess ? details.oauthAccessToken.map(JSONText.string) : nil),
            ("oauth_id_token", settings.forwards("idToken") ? details.oauthIDToken.map(JSONText.string) : nil),
        ])
    }

    /// The claims of a user; production leaves them out where there are none.
    private func customClaims(of account: Account) -> JSONText? {
        let claims = account.customAttributes ?? "{}"
        return isProduction && claims == "{}" ? nil : .verbatim(claims)
    }

    private func record(of account: Account) -> JSONText {
        let times: [(String, JSONText?)] = [
            ("last_sign_in_time", account.lastLoginAt.map(JSONText.integer)),
            ("creation_time", account.createdAt.map(JSONText.integer)),
        ]
        let factors = account.secondFactors.map {
            JSONText.object([("enrolled_factors", .array($0.map(\.functionJSON)))])
        }
        return .object(compacting: [
            ("uid", .string(account.localID)), ("email", account.email.map(JSONText.string)),
            ("email_verified", account.isEmailVerified.map(JSONText.boolean)),
            ("display_name", account.displayName.map(JSONText.string)),
            ("photo_url", account.photoURL.map(JSONText.string)),
            ("disabled", account.isDisabled.map(JSONText.boolean)),
            ("phone_number", account.phoneNumber.map(JSONText.string)),
            ("custom_claims", customClaims(of: account)),
            ("tenant_id", scope.tenant.map(JSONText.string)),
            ("provider_data", .array((account.providers ?? []).map(\.functionJSON))), ("multi_factor", factors),
            ("metadata", account.lastLoginAt ?? account.createdAt == nil ? nil : .object(compacting: times)),
        ])
    }
}

extension LinkedProvider {
    fileprivate var functionJSON: JSONText {
        .object(compacting: [
            ("provider_id", .string(providerID)), ("display_name", displayName.map(JSONText.string)),
            ("photo_url", photoURL.map(JSONText.string)), ("email", email.map(JSONText.string)),
            ("uid", .string(rawID)), ("phone_number", phoneNumber.map(JSONText.string)),
        ])
    }
}

extension SecondFactor {
    fileprivate var functionJSON: JSONText {
        .object(compacting: [
            ("uid", .string(id)), ("display_name", displayName.map(JSONText.string)),
            ("enrollment_time", enrolledAt.map(JSONText.string)),
            ("phone_number", phoneNumber.map(JSONText.string)),
            ("factor_id", .string(sharedSecret == nil ? "phone" : "totp")),
        ])
    }
}

extension JSONValue {
    /// A text, or a number or boolean as JavaScript writes it.
    var primitiveText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let digits): digits
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// Whether JavaScript takes the value for true.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let number): number != 0
        case .number(let digits): Double(digits) != 0
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }
}
