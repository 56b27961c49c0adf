// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The value of `--only`: names of emulators, each with a part of it after a colon that matters to some.
///
/// Source: firebase-tools 15.28.1, `prepare` in `src/command.ts`, `filterEmulatorTargets` and `startAll` in
/// `src/emulator/controller.ts`.
struct OnlyList {
    /// The emulators, in the order given, each once.
    let services: [SuiteService]
    private let entries: [String]

    /// Reads a list separated by commas or spaces; `nil` for one without names, which leaves nothing out.
    ///
    /// - Throws: `SuiteConfigurationError` for a name that is not one.
    init?(_ text: String?) throws(SuiteConfigurationError) {
        entries = (text ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard !entries.isEmpty else { return nil }
        var services: [SuiteService] = []
        for entry in entries {
            let name = String(entry.prefix { $0 != ":" })
            guard let service = SuiteService(rawValue: name) else { throw .unknownEmulator(name) }
            if !services.contains(service) { services.append(service) }
        }
        self.services = services
    }

    /// The databases that entries like `firestore:users` choose; `nil` for all.
    var databases: [String]? {
        let prefix = "\(SuiteService.firestore.rawValue):"
        guard !entries.contains(SuiteService.firestore.rawValue) else { return nil }
        let names = entries.filter { $0.hasPrefix(prefix) }.map { entry in
            String(entry.dropFirst(prefix.count).prefix { $0 != ":" })
        }
        // Deployments choose by these words between a database's files.
        return names.contains("rules") || names.contains("indexes") ? nil : names
    }
}

extension SuiteConfigurationError {
    fileprivate static func unknownEmulator(_ name: String) -> Self {
        let names = SuiteService.selectable.map(\.rawValue)
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        let meant = names.word(similarTo: name).map { " Did you mean \($0)?" } ?? ""
        return .badOption("\(name) is not a valid emulator name, valid options are: [\(list)]\(meant)")
    }
}
