// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import HTTPTypes
import HummingbirdCore
import JSON
import Wire

/// The links that are sent by e-mail: opening one does what it is for.
struct ActionPage {
    let context: AuthContext
    let target: RequestTarget
    let origin: String

    private func parameter(_ name: String) -> String? { target[name].flatMap { $0.isEmpty ? nil : $0 } }

    func answer() throws -> Response {
        guard parameter("apiKey") != nil else { return Self.missing("apiKey", example: "YOUR_API_KEY") }
        guard let code = parameter("oobCode") else { return Self.missing("oobCode", example: "YOUR_OOB_CODE") }
        // Before the code is used: a link may say anything.
        if let url = parameter("continueUrl"), !AppURL.canBeOpened(url) {
            return Self.refusal([("error", "continueUrl is not a URL that a browser opens")])
        }
        switch parameter("mode") {
        case "recoverEmail":
            return try use(code, .recoverEmail, "Your request to revert your email", Self.retryRecovery)
        case "resetPassword": return try resetPassword(code)
        case "verifyEmail":
            return try use(code, .verifyEmail, "Your request to verify your email", "Try verifying your email again.")
        case "verifyAndChangeEmail":
            return try use(
                code,
                .verifyAndChangeEmail,
                "Your request to change your email",
                "Try changing your email again."
            )
        case "signIn": return signIn()
        default: return Self.refusal([("error", "Invalid mode")])
        }
    }

    private static let retryRecovery =
        "If you're trying to test the reverting email flow, try changing the email again to generate a new link."

    private var operations: AuthOperations {
        let scope = AccountScope(project: context.project, tenant: parameter("tenantId"))
        let call = AuthCall(
            route: AuthRoute(.update),
            body: .empty,
            target: target,
            isPrivileged: false,
            scope: scope,
            origin: origin
        )
        return AuthOperations(context, call)
    }

    // MARK: Modes

    private func use(
        _ text: String,
        _ purpose: ActionCode.Purpose,
        _ request: String,
        _ instructions: String
    ) throws -> Response {
        let operations = operations
        let change = try operations.writing { transaction -> AuthOperations.AccountChange? in
            guard let code = try transaction.actionCode(text), code.purpose == purpose else { return nil }
            return try operations.applyAndSave(code, transaction)
        }
        guard let change else {
            let error =
                purpose == .recoverEmail
                ? "Requested mode does not match the OOB code provided."
                : "\(request) has expired or the link has already been used."
            return Self.refusal([("error", .string(error)), ("instructions", .string(instructions))])
        }
        let done =
            switch purpose {
            case .recoverEmail: "The email has been successfully reset."
            case .verifyEmail: "The email has been successfully verified."
            default: "The email has been successfully changed."
            }
        let email = change.account.email.map(JSONText.string)
        return success(
            done,
            (purpose == .verifyAndChangeEmail ? "newEmail" : "email", email),
            redirects: purpose != .recoverEmail
        )
    }

    private func resetPassword(_ text: String) throws -> Response {
        let operations = operations
        let code = try operations.reading { try $0.actionCode(text) }
        guard let code, code.purpose == .passwordReset else {
            return Self.refusal([
                (
                    "error",
                    "Your request to reset your password has expired or the link has already been used."
                ), ("instructions", "Try resetting your password again."),
            ])
        }
        let template = ("urlTemplate", JSONText.string("\(code.link)&newPassword=NEW_PASSWORD_HERE"))
        guard let password = parameter("newPassword") else {
            return Self.refusal([
                ("error", "missing newPassword query parameter"),
                (
                    "instructions",
                    .string("To reset the password for \(code.email), send an HTTP GET request to the following URL.")
                ), ("instructions2", "You may use a web browser or any HTTP client, such as curl."), template,
            ])
        }
        guard password != "NEW_PASSWORD_HERE" else {
            return Self.refusal([
                ("error", "newPassword must be something other than 'NEW_PASSWORD_HERE'"),
                ("instructions", "The string 'NEW_PASSWORD_HERE' is just a placeholder."),
                ("instructions2", "Please change the URL to specify a new password instead."), template,
            ])
        }
        let settings = try operations.enabledSettings()
        let used = try operations.writing { try operations.resetPassword(to: password, with: text, settings, $0) }
        return success("The password has been successfully updated.", ("email", .string(used.email)), redirects: true)
    }

    /// Leads to the app, which signs in with the parameters of the link.
    private func signIn() -> Response {
        guard let url = parameter("continueUrl") else {
            return Self.refusal([
                ("error", "Missing continueUrl query parameter"),
                ("instructions", "To sign in, append &continueUrl=YOUR_APP_URL to the link."),
            ])
        }
        return redirection(to: AppURL(url).adding(target.query.filter { $0.name != "continueUrl" }))
    }

    // MARK: Answers

    private func success(_ text: String, _ email: (String, JSONText?), redirects: Bool) -> Response {
        if redirects, let url = parameter("continueUrl") { return redirection(to: AppURL(url)) }
        return .json(.object([("authEmulator", .object(compacting: [("success", .string(text)), email]))]))
    }

    private func redirection(to url: AppURL) -> Response {
        Response(status: .seeOther, headers: [.location: url.text])
    }

    private static func missing(_ name: String, example: String) -> Response {
        refusal([
            ("error", .string("missing \(name) query parameter")),
            ("instructions", .string("Please modify the URL to specify an \(name), such as ...&\(name)=\(example)")),
        ])
    }

    private static func refusal(_ members: [(String, JSONText)]) -> Response {
        .json(.object([("authEmulator", .object(members))]), status: 400)
    }
}
