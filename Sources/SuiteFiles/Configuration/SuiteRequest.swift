// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The circumstances of a start: where it happens, and the command's options.
package struct SuiteRequest: Sendable {
    /// Whether the web interface is started.
    package enum Interface: Sendable {
        /// As `emulators.ui.enabled` in `firebase.json` has it, as with `emulators:start`.
        case asConfigured
        /// As with `emulators:exec --ui`.
        case always
        /// As with `emulators:exec`.
        case never
    }

    /// The absolute path of the directory from which `firebase.json` is searched upwards.
    package var workingDirectory: String
    /// The value of `--config`: a file to be read in place of `firebase.json`, whose directory is the project's.
    package var configurationPath: String?
    /// The value of `--only`.
    package var only: String?
    /// The value of `--project`: an alias of `.firebaserc`, or an id.
    package var project: String?
    /// Whether the web interface is started.
    package var interface: Interface
    /// The environment; `HOME` and `XDG_CONFIG_HOME` lead to the settings of the Firebase CLI.
    package var environment: [String: String]

    package init(
        workingDirectory: String,
        configurationPath: String? = nil,
        only: String? = nil,
        project: String? = nil,
        interface: Interface = .asConfigured,
        environment: [String: String] = [:]
    ) {
        self.workingDirectory = workingDirectory
        self.configurationPath = configurationPath
        self.only = only
        self.project = project
        self.interface = interface
        self.environment = environment
    }
}
