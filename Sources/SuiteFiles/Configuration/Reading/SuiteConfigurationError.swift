// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Basics

/// Why a project's configuration does not lead to a start, in the words of firebase-tools where it has some.
package struct SuiteConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable {
        /// The directory is not in a project, or the file named does not exist.
        case notInProject
        /// A file of the project cannot be used.
        case badFile
        /// An option of the command cannot be used.
        case badOption
        /// Nothing that is served here was asked for.
        case nothingToStart
        /// The disk refused.
        case inputOutput
    }

    /// The kind of failure.
    package let code: Code
    /// The problem, its file, and how to remedy it.
    package let description: String
}

extension SuiteConfigurationError {
    static func badFile(_ description: String) -> Self { Self(code: .badFile, description: description) }

    static func badOption(_ description: String) -> Self { Self(code: .badOption, description: description) }

    static func nothingToStart(because reason: String) -> Self {
        Self(code: .nothingToStart, description: "No emulators to start: \(reason)")
    }

    /// A member of `firebase.json` has a value of another type than it must.
    static func badMember(_ path: String, _ problem: String) -> Self { badFile("firebase.json: \(path) \(problem)") }

    /// Names the file whose reading failed, as firebase-tools does.
    func whileLoading(_ name: String) -> Self {
        Self(code: code, description: "There was an error loading \(name):\n\n\(description)")
    }
}

extension SuiteConfigurationError: FileFailure {
    package init(_ fault: FileFault) {
        self.init(code: .inputOutput, description: fault.description)
    }
}
