// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The demands on new passwords (`PasswordPolicyConfig` of Identity Platform v2).
struct PasswordPolicy {
    /// The shortest password without a policy: that of Firebase.
    static let byteCountMinDefault: Int64 = 6
    /// The longest password that a policy may allow (`maxPasswordLength`, Identity Platform v2, 2026-11).
    static let byteCountMaxDefault: Int64 = 4_096
    /// The shortest passwords that a policy may ask for (`minPasswordLength`, Identity Platform v2, 2026-11).
    static let lengthMinRange: ClosedRange<Int64> = 6...30
    /// The characters that count as neither letters nor digits (Web SDK 12.3.0, `validatePassword`; Google's answer lists them).
    private static let symbols = productionSymbols + "+= "
    /// Those that production's answer lists (recorded, September 2026).
    private static let productionSymbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`-"

    private let options: JSONValue?
    private let state: String?
    let forcesUpgrade: Bool
    private let profile: AuthProfile

    init(_ config: JSONValue?, _ profile: AuthProfile) {
        self.profile = profile
        state = config?["passwordPolicyEnforcementState"]?.string
        forcesUpgrade = config?["forceUpgradeOnSignin"]?.boolean ?? false
        options = config?["passwordPolicyVersions"]?.array?.first?["customStrengthOptions"]
    }

    var isEnforced: Bool { state == "ENFORCE" }

    private var lengthMin: Int64 { options?["minPasswordLength"]?.integer ?? Self.byteCountMinDefault }
    private var lengthMax: Int64 { options?["maxPasswordLength"]?.integer ?? Self.byteCountMaxDefault }

    /// The demands that a password does not meet, in production's words.
    func faults(of password: String) -> [String] {
        guard isEnforced else { return [] }
        let length = Int64(password.unicodeScalars.count)
        var faults: [String] = []
        if length < lengthMin { faults.append("Password must contain at least \(lengthMin) characters") }
        if length > lengthMax { faults.append("Password may contain at most \(lengthMax) characters") }
        for (option, words, holds) in Self.kinds where options?[option]?.boolean == true {
            if !password.contains(where: holds) || !hasSymbol(password, for: option) {
                faults.append("Password must contain \(words) character")
            }
        }
        return faults
    }

    /// Whether a password has a symbol that counts, where one is asked for.
    private func hasSymbol(_ password: String, for option: String) -> Bool {
        guard profile.isProduction, option == Self.symbolOption else { return true }
        return password.contains { Self.productionSymbols.contains($0) }
    }

    private static let symbolOption = "containsNonAlphanumericCharacter"

    private static let kinds: [(option: String, words: String, holds: @Sendable (Character) -> Bool)] = [
        ("containsLowercaseCharacter", "a lower case", { $0.isASCII && $0.isLowercase }),
        ("containsUppercaseCharacter", "an upper case", { $0.isASCII && $0.isUppercase }),
        ("containsNumericCharacter", "a numeric", { $0.isASCII && $0.isNumber }),
        (symbolOption, "a non-alphanumeric", { symbols.contains($0) }),
    ]

    /// The policy as clients ask for it (`GET /v2/passwordPolicy`).
    var json: JSONText {
        guard !profile.isProduction else { return productionJSON }
        var strength: [(String, JSONText)] = [
            ("minPasswordLength", .integer(lengthMin)), ("maxPasswordLength", .integer(lengthMax)),
        ]
        for (option, _, _) in Self.kinds {
            if let isDemanded = options?[option]?.boolean { strength.append((option, .boolean(isDemanded))) }
        }
        return .object([
            ("customStrengthOptions", .object(strength)),
            ("allowedNonAlphanumericCharacters", .array(Self.symbols.map { .string(String($0)) })),
            ("enforcementState", .string(isEnforced ? "ENFORCE" : "OFF")),
            ("forceUpgradeOnSignin", .boolean(forcesUpgrade)), ("schemaVersion", 1),
        ])
    }

    /// The policy as production answers it (recorded in September 2026): with nothing but the members that are set.
    private var productionJSON: JSONText {
        var strength: [(String, JSONText?)] = [
            ("minPasswordLength", options?["minPasswordLength"]?.integer.map(JSONText.integer)),
            ("maxPasswordLength", options?["maxPasswordLength"]?.integer.map(JSONText.integer)),
        ]
        if options == nil {
            strength = [("minPasswordLength", .integer(lengthMin)), ("maxPasswordLength", .integer(lengthMax))]
        }
        strength += Self.kinds.map { kind in (kind.option, options?[kind.option]?.boolean == true ? true : nil) }
        let asksForSymbols = options?["containsNonAlphanumericCharacter"]?.boolean == true
        // Plus, equals and the space count, but are not listed.
        let symbols = Self.productionSymbols.map { JSONText.string(String($0)) }
        return .object(compacting: [
            ("customStrengthOptions", .object(compacting: strength)), ("schemaVersion", 1),
            ("allowedNonAlphanumericCharacters", asksForSymbols ? .array(symbols) : nil),
            ("enforcementState", .string(state ?? (options == nil ? "ENFORCE" : "OFF"))),
            ("forceUpgradeOnSignin", forcesUpgrade ? true : nil),
        ])
    }
}
