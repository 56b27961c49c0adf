// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The names in an export of Authentication.
///
///     config.json                 the two settings that the official emulator keeps
///     accounts.json               the project's users, by their ids
///     accounts-<tenant>.json      those of a tenant
///     firemeter-settings.json     all other settings, tenants and identity providers
///
/// The official emulator imports every file with `accounts` in its name, hence the last one's. Source: firebase-tools
/// 15.28.1, `src/emulator/auth/index.ts` and `hubExport.ts`.
enum AccountLayout {
    static let config = "config.json"
    static let accounts = "accounts"
    static let tenantMark = "-"
    static let fileExtension = ".json"
    static let settings = "firemeter-settings.json"

    /// The most bytes that a file's name has on the usual file systems.
    private static let nameByteCountMax = 255

    /// The name of the file with the users of a tenant, or of the project; `nil` for an id that names no file.
    static func file(ofTenant tenant: String?) -> String? {
        guard let tenant else { return accounts + fileExtension }
        let name = accounts + tenantMark + tenant + fileExtension
        return tenant.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 } || name.utf8.count > nameByteCountMax
            ? nil : name
    }

    /// The tenant whose users a file has; `nil` for other files.
    static func tenant(ofFile name: String) -> String? {
        let prefix = accounts + tenantMark
        guard name.hasPrefix(prefix), name.hasSuffix(fileExtension) else { return nil }
        let tenant = name.dropFirst(prefix.count).dropLast(fileExtension.count)
        return tenant.isEmpty ? nil : String(tenant)
    }
}

/// The lists in the files.
extension ListWriter {
    /// Users, as the API answers them (`DownloadAccountResponse` of Identity Toolkit v1).
    static func users(_ path: String) -> ListWriter {
        ListWriter(path, kind: "identitytoolkit#DownloadAccountResponse", member: AccountMember.users)
    }

    static func settings(_ path: String) -> ListWriter {
        ListWriter(path, kind: "firemeter#AuthSettings", member: AccountMember.settings)
    }
}

/// The members of the files' objects.
enum AccountMember {
    static let users = "users"
    static let settings = "settings"
    static let tenant = "tenantId"
    static let factors = "mfaInfo"
    /// The members of users that the official emulator does not know, and ignores.
    static let own = "firemeter"
    static let collection = "collection"
    static let id = "id"
    static let config = "config"
    /// Functions that decide on sign-ins: the server of functions names them at each start.
    static let blockingFunctions = "blockingFunctions"
}
