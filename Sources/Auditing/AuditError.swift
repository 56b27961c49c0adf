// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why an audit has no result.
package struct AuditError: Error, CustomStringConvertible {
    /// The kind of failure; each has an exit code of its own.
    package enum Code: Sendable {
        /// The request is invalid.
        case usage
        /// The log cannot be replayed.
        case badData
        /// An image that the log's users saw is not there.
        case imageMissing
        /// The emulator did not answer.
        case unavailable
        /// Client and meter disagree.
        case mismatch
        /// A file cannot be read or written.
        case inputOutput
    }

    /// The exit code of sysexits for this failure.
    package var exitCode: Int32 {
        switch code {
        case .usage: 64
        case .badData, .imageMissing: 65
        case .unavailable: 69
        case .mismatch: 70
        case .inputOutput: 74
        }
    }

    /// The kind of failure.
    package let code: Code
    /// The problem, and how to remedy it.
    package internal(set) var description: String

    /// Creates an error.
    package init(code: Code, description: String) {
        self.code = code
        self.description = description
    }
}
