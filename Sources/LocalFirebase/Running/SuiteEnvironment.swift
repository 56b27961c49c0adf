// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

/// The variables by which SDKs and tools of Firebase find the emulators.
///
/// Source: firebase-tools 15.28.1, `src/emulator/env.ts` and `commandUtils.ts`.
package struct SuiteEnvironment: Sendable {
    private let variables: [String: String]
    private let project: String

    /// The variables of a running emulator.
    ///
    /// - Parameters:
    ///   - addresses: Where its services are.
    ///   - project: The id of the project.
    package init(_ addresses: EmulatorAddresses, project: String) {
        self.project = project
        var variables = ["GCLOUD_PROJECT": project]
        if addresses.ports.firestore != 0 {
            variables["FIRESTORE_EMULATOR_HOST"] = addresses.firestore
            variables["FIREBASE_FIRESTORE_EMULATOR_ADDRESS"] = addresses.firestore
        }
        if addresses.ports.storage != 0 {
            variables["FIREBASE_STORAGE_EMULATOR_HOST"] = addresses.storage
            // Google's own Storage clients need the scheme.
            variables["STORAGE_EMULATOR_HOST"] = "http://\(addresses.storage)"
        }
        variables["FIREBASE_AUTH_EMULATOR_HOST"] = addresses.auth
        variables["FIREBASE_EMULATOR_HUB"] = addresses.hub
        self.variables = variables
    }

    /// Adds the variables to an environment, in which `FIREBASE_CONFIG` stays as it is.
    ///
    /// - Parameter environment: Those of a process.
    /// - Returns: Those of a command that it runs.
    package func added(to environment: [String: String]) -> [String: String] {
        var result = environment.merging(variables) { _, new in new }
        if result["FIREBASE_CONFIG"] == nil {
            let members: [(String, JSONText)] = [
                ("projectId", .string(project)), ("storageBucket", .string("\(project).appspot.com")),
                ("databaseURL", .string("https://\(project).firebaseio.com")),
            ]
            result["FIREBASE_CONFIG"] = JSONText.object(members).rendered(isIndented: false)
        }
        return result
    }
}
