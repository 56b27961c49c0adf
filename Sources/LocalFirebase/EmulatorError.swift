// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet

/// Why a local Firebase cannot run.
package struct EmulatorError: Error, CustomStringConvertible {
    /// What kind of failure it is; each has an exit code of its own.
    package enum Code: Sendable {
        /// What is to be loaded cannot be read or makes no sense.
        case badData
        /// A port cannot be served.
        case unavailable
        /// A file or directory cannot be read or written.
        case inputOutput
        /// A signal came before the work was done.
        case stopped
    }

    /// The exit code of sysexits for this failure.
    package var exitCode: Int32 {
        switch code {
        case .badData: 65
        case .unavailable, .stopped: 69
        case .inputOutput: 74
        }
    }

    /// The kind of failure.
    package let code: Code
    /// What went wrong and how to remedy it.
    package let description: String
}

extension EmulatorError {
    static func badSeed(_ error: any Error) -> Self {
        Self(code: .badData, description: "cannot seed: \(error)")
    }

    /// Tells what is wrong with the data set from what is wrong with the disk.
    init(seeding error: any Error) {
        if error is FeedDataSetError || error is SeedFailure {
            self = .badSeed(error)
        } else {
            self.init(code: .inputOutput, description: "cannot store the seed: \(error)")
        }
    }

    static func badIndexes(_ path: String, _ reason: String) -> Self {
        Self(code: .badData, description: "cannot use the indexes of \(path): \(reason)")
    }

    static func badSigningKey(_ path: String, _ reason: String) -> Self {
        Self(code: .badData, description: "cannot use the key of \(path): \(reason)")
    }

    static func cannotListen(_ error: any Error) -> Self {
        Self(code: .unavailable, description: "\(error)")
    }

    static let stopped = Self(code: .stopped, description: "stopped by a signal before the work was done")

    static func cannotOpen(_ what: String, _ error: any Error) -> Self {
        Self(code: .inputOutput, description: "cannot open \(what): \(error)")
    }

    static func cannotClose(_ what: String, _ error: any Error) -> Self {
        Self(code: .inputOutput, description: "cannot write \(what) to its end: \(error)")
    }
}
