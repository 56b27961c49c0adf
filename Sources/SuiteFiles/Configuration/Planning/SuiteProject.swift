// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The project whose data are served.
package struct SuiteProject: Sendable, Equatable {
    /// The id where neither an option nor a file names a project.
    package static let placeholder = "demo-no-project"

    /// The id.
    package let id: String
    /// Its name in `.firebaserc` by which it was chosen; `nil` where the id was named.
    package let alias: String?

    /// Whether the project exists nowhere else, so that it reaches no production service.
    package var isDemo: Bool { id.hasPrefix("demo-") }
}

extension SuiteProject {
    /// Chooses the project.
    ///
    /// It is that of `--project`, else that of `firebase use`, else that of an old `firebase.json`; else the only one in
    /// `.firebaserc`, else the one there by the name `default`. Source: firebase-tools 15.28.1, `applyRC` in
    /// `src/command.ts`.
    ///
    /// - Parameters:
    ///   - option: The value of `--project`.
    ///   - active: The project of `firebase use`.
    ///   - deprecated: The project that an old `firebase.json` names.
    ///   - aliases: Ids by their names in `.firebaserc`.
    /// - Throws: `SuiteConfigurationError` for an id that cannot be one.
    init(
        option: String?,
        active: String?,
        deprecated: String?,
        aliases: [String: String]
    ) throws(SuiteConfigurationError) {
        let candidates = [option ?? active, deprecated]
        let named = candidates.lazy.compactMap(\.self).first { !$0.isEmpty }
        if let named, aliases[named] == nil {
            self.init(id: named, alias: nil)
        } else if let alias = named ?? (aliases.count == 1 ? aliases.keys.first : "default"), let id = aliases[alias] {
            self.init(id: id, alias: alias)
        } else {
            self.init(id: Self.placeholder, alias: nil)
        }
        try checkID()
    }

    /// Refuses what firebase-tools refuses: `[domain:]name` of small letters, digits and hyphens passes.
    private func checkID() throws(SuiteConfigurationError) {
        let parts = id.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.last ?? ""
        let isValid =
            !name.isEmpty && name.utf8.allSatisfy(Self.isNameByte)
            && (parts.count < 2 || !parts[0].isEmpty && !parts[0].utf8.contains(0))
        guard !isValid else { return }
        let hint = id.lowercased() == id ? "" : "\nNote: Project id must be all lowercase."
        throw .badOption("Invalid project id: \(id).\(hint)")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
