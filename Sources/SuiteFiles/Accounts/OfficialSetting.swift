// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// A switch of a project that the official emulator exports and imports.
struct OfficialSetting {
    /// The fault of a value that is neither true nor false.
    struct NotASwitch: Error {}

    let group: String
    let name: String

    /// All of them, in the order of its files (firebase-tools 15.28.1, `getEmulatorProjectConfig` in
    /// `src/emulator/auth/operations.ts`).
    static let all = [
        allowsDuplicateEmails,
        OfficialSetting(group: "emailPrivacyConfig", name: "enableImprovedEmailPrivacy"),
    ]

    static let allowsDuplicateEmails = OfficialSetting(group: "signIn", name: "allowDuplicateEmails")

    func value(in settings: JSONValue) -> Bool? { settings[group]?[name]?.boolean }

    /// The value in a file; `nil` where it has none.
    func checkedValue(in settings: JSONValue) throws(NotASwitch) -> Bool? {
        switch settings[group]?[name] ?? .null {
        case .null: return nil
        case .bool(let value): return value
        default: throw NotASwitch()
        }
    }

    /// Returns settings in which the switch is set.
    func set(_ value: Bool, in settings: JSONValue) -> JSONValue {
        var (members, own) = (settings.members, (settings[group] ?? .null).members)
        own[name] = .bool(value)
        members[group] = .object(own)
        return .object(members)
    }
}

extension JSONValue {
    /// The value as compact text.
    var compactText: String { String(decoding: encoded, as: UTF8.self) }
}
