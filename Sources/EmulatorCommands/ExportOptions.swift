// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LocalFirebase

/// The options of all commands that serve, on data that come from exports and go to them.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "Load this export first, of the official emulators or of production's Firestore.",
            valueName: "dir"
        )
    )
    var importDirectory: String?
    @Option(
        name: .customLong("export-on-exit"),
        defaultAsFlag: "",
        help: ArgumentHelp(
            "Export all data at the end, for the official emulators too; without a directory to that of --import.",
            valueName: "dir"
        )
    )
    var exportDirectory: String?
    @Option(
        help: ArgumentHelp(
            "Let calls write exports below this directory; the default is the project's, or the working directory.",
            valueName: "dir"
        )
    )
    var exportBelow: String?

    func validate() throws {
        if exportDirectory == "", importDirectory == nil {
            throw ValidationError("--export-on-exit needs a directory where there is none of --import.")
        }
    }

    /// Sets what the options say.
    func apply(to configuration: inout EmulatorConfiguration) {
        let imported = importDirectory.map(Self.path)
        configuration.importPath = imported
        configuration.exportPath = exportDirectory.flatMap { $0.isEmpty ? imported : Self.path($0) }
        if let exportBelow { configuration.exportBound = Self.path(exportBelow) }
    }

    /// Puts the home directory in the place of `~`, which shells leave in `--import=~/seed`.
    private static func path(_ text: String) -> String {
        text == "~" || text.hasPrefix("~/") ? NSHomeDirectory() + text.dropFirst() : text
    }
}
