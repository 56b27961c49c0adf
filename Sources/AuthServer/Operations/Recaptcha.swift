// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

extension AuthOperations {
    private static let clientTypes = [
        "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS",
    ]
    private static let versions = ["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"]

    /// `GET recaptchaConfig`: what the settings say; no token is ever asked for.
    func recaptchaConfig() throws -> JSONText {
        if context.profile.isProduction { try checkRecaptchaClient() }
        let settings = try enabledSettings()
        let config = (settings.tenant ?? settings.project)["recaptchaConfig"]
        let states = [
            ("EMAIL_PASSWORD_PROVIDER", "emailPasswordEnforcementState"), ("PHONE_PROVIDER", "phoneEnforcementState"),
        ].map { provider, member in
            JSONText.object([
                ("provider", .string(provider)), ("enforcementState", .string(recaptchaState(config?[member]?.string))),
            ])
        }
        let usesBotScore = context.profile.isProduction ? config?["useSmsBotScore"]?.boolean ?? false : nil
        return .object(compacting: [
            ("recaptchaKey", (config?["recaptchaKeys"]?.array?.first?["key"]?.string).map(JSONText.string)),
            ("recaptchaEnforcementState", .array(states)), ("useSmsBotScore", usesBotScore.map(JSONText.boolean)),
            ("useSmsTollFraudProtection", .boolean(config?["useSmsTollFraudProtection"]?.boolean ?? false)),
        ])
    }

    private func recaptchaState(_ state: String?) -> String {
        guard context.profile.isProduction else { return state ?? "OFF" }
        return state.flatMap { ["OFF", "AUDIT", "ENFORCE"].contains($0) ? $0 : nil } ?? "ENFORCEMENT_STATE_UNSPECIFIED"
    }

    private func checkRecaptchaClient() throws(AuthFailure) {
        try check("clientType", "ClientType", of: Self.clientTypes, "MISSING_CLIENT_TYPE")
        try check("version", "RecaptchaVersion", of: Self.versions, "MISSING_RECAPTCHA_VERSION")
    }

    private func check(
        _ parameter: String,
        _ type: String,
        of names: [String],
        _ refusal: String
    ) throws(AuthFailure) {
        let form = MemberForm.choice(type: "v2.\(type)", names)
        let value = try call.target[parameter].map { (value) throws(AuthFailure) in
            try form.read(.string(value), at: parameter.snakeCased)
        }
        _ = try require(value ?? nil, refusal)
    }
}
