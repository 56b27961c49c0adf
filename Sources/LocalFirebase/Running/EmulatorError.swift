// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet

/// Why a local Firebase cannot run.
package struct EmulatorError: Error, CustomStringConvertible {
    /// The kind of failure; each has an exit code of its own.
    package enum Code: Sendable {
        /// The data set cannot be read or is invalid.
        case badData
        /// A port cannot be served, or the system grants the process too little to serve.
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
    /// The problem, and how to remedy it.
    package let description: String
}

extension EmulatorError {
    static func badSeed(_ error: any Error) -> Self {
        Self(code: .badData, description: "cannot seed: \(error)")
    }

    /// Distinguishes problems of the data set from problems of the disk.
    init(seeding error: any Error) {
        if error is FeedDataSetError || error is SeedFailure {
            self = .badSeed(error)
        } else {
            self.init(code: .inputOutput, description: "cannot store the seed: \(error)")
        }
    }

    static func badIndexes(_ path: String, because reason: String) -> Self {
        Self(code: .badData, description: "cannot use the indexes of \(path): \(reason)")
    }

    static func badRules(_ path: String, because reason: String) -> Self {
        Self(code: .badData, description: "cannot use the rules of \(path): \(reason)")
    }

    static func badSigningKey(_ path: String, because reason: String) -> Self {
        Self(code: .badData, description: "cannot use the key of \(path): \(reason)")
    }

    static func tooFewDescriptors(_ count: UInt64, min: UInt64) -> Self {
        Self(
            code: .unavailable,
            description: "the system allows \(count) files and connections, and \(min) are needed;"
                + " raise the limit, as with ulimit -n 1024"
        )
    }

    static func tooLittleMemory(_ limit: MemoryLimit.Limit, allowed: UInt64) -> Self {
        let (has, needs) = (allowed >> 20, limit.byteCountMin >> 20)
        return Self(
            code: .unavailable,
            description: "cannot serve with a limit of \(has) MiB of \(limit.name) (\(limit.command));"
                + " raise it to \(needs) MiB or more"
        )
    }

    static func cannotListen(_ error: any Error) -> Self {
        Self(code: .unavailable, description: "\(error)")
    }

    static let stopped = Self(code: .stopped, description: "stopped by a signal before the work was done")

    static func cannotOpen(_ what: String, error: any Error) -> Self {
        cannotOpen(what, reason: "\(error)")
    }

    static func cannotOpen(_ what: String, reason: String) -> Self {
        Self(code: .inputOutput, description: "cannot open \(what): \(reason)")
    }

    static func cannotClose(_ what: String, error: any Error) -> Self {
        Self(code: .inputOutput, description: "cannot write \(what) to its end: \(error)")
    }
}
