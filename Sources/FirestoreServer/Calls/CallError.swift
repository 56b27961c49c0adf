// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// Why a call was refused, in the terms every protocol face can express.
package struct CallError: Error, Sendable, Equatable {
    /// The kind of failure.
    package var code: StatusCode
    /// The problem, and how to remedy it, without values of documents.
    package var message: String
    /// The details for programs; mostly none.
    package var details: [ErrorDetail]

    /// Creates an error; a message that repeats a name of megabytes is cut.
    package init(code: StatusCode, message: String, details: [ErrorDetail] = []) {
        self.code = code
        self.message = MessageText.cut(message)
        self.details = details
    }

    /// A request that could never succeed.
    static func invalid(_ message: String, details: [ErrorDetail] = []) -> Self {
        Self(code: .invalidArgument, message: message, details: details)
    }

    /// A request this server does not answer yet.
    static func unimplemented(_ message: String) -> Self {
        Self(code: .unimplemented, message: message)
    }
}
