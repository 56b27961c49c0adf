// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SuitePlanner {
    /// The emulators that are asked for and not left out by `--only`.
    ///
    /// - Throws: `SuiteConfigurationError` where none of them is served here.
    mutating func chosenServices() throws(SuiteConfigurationError) -> [SuiteService] {
        let asked = (SuiteService.selectable + [.extensions]).filter(configuration.asksFor)
        let chosen = asked.filter { only?.services.contains($0) ?? true }
        guard chosen.contains(where: \.isServed) else { throw nothingServed(asked: asked, chosen: chosen) }
        announce(chosen)
        return chosen
    }

    private mutating func announce(_ chosen: [SuiteService]) {
        let served = chosen.filter(\.isServed)
        notices.append(.information("Starting emulators: \(served.names(separator: ", "))"))
        if project.isDemo {
            notices.append(
                .information(
                    "Detected demo project ID \"\(project.id)\", emulated services will use a demo configuration and "
                        + "attempts to access non-emulated services for this project will fail."
                )
            )
        }
        for service in only?.services ?? [] where !chosen.contains(service) && !service.isAttendant {
            notices.append(
                .warning(
                    "Not starting the \(service.rawValue) emulator, make sure you have run firebase init.",
                    about: service
                )
            )
        }
        let others = chosen.filter { !$0.isServed }
        guard !others.isEmpty else { return }
        notices.append(
            .warning(
                "Not served here: \(others.names(separator: ", ")). To have them, run beside this command: "
                    + "firebase emulators:start --only \(others.names(separator: ","))"
                    // It registers triggers on documents with a Firestore emulator that it has started itself.
                    + (others.contains(.functions)
                        ? " (it will say that some functions are ignored: they are called from here)" : "")
            )
        )
    }

    private func nothingServed(asked: [SuiteService], chosen: [SuiteService]) -> SuiteConfigurationError {
        let servable = SuiteService.selectable.filter(\.isServed).names(separator: ", ")
        let file = configuration.file ?? SuiteConfiguration.fileName
        if !chosen.isEmpty {
            return .nothingToStart(
                because: "\(chosen.names(separator: ", ")) cannot be served here, but \(servable) can."
            )
        }
        if let only, !asked.isEmpty {
            return .nothingToStart(
                because: "--only names \(only.services.names(separator: ", ")), but \(file) asks for "
                    + "\(asked.names(separator: ", "))."
            )
        }
        return .nothingToStart(
            because: "\(file) names none of \(servable), neither at its top level nor in \"emulators\". Add one, such "
                + "as \"emulators\": {\"firestore\": {}}, or run firebase init emulators."
        )
    }
}

extension [SuiteService] {
    fileprivate func names(separator: String) -> String { map(\.rawValue).joined(separator: separator) }
}
