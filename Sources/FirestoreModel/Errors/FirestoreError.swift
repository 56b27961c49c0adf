// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why the store refused a request.
package struct FirestoreError: Error, Sendable, Equatable {
    /// The kind of refusal, named as in `google.rpc.Code`.
    package enum Code: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case failedPrecondition = "FAILED_PRECONDITION"
        /// Refused by an authorization.
        case permissionDenied = "PERMISSION_DENIED"
        /// Neither refused nor allowed: an authorization failed.
        case unknown = "UNKNOWN"
        case aborted = "ABORTED"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case unimplemented = "UNIMPLEMENTED"
        /// The disk or the database file failed.
        case unavailable = "UNAVAILABLE"
        /// The stored data contradicts itself.
        case dataLoss = "DATA_LOSS"
    }

    package var code: Code
    /// Production's words where they are known, else the official emulator's.
    package var message: String
    /// The machine-readable reason of `google.rpc.ErrorInfo`; few refusals have one.
    package var reason: String?

    /// Creates an error; a message that repeats a name of megabytes is cut.
    package init(_ code: Code, _ message: String, reason: String? = nil) {
        self.code = code
        self.message = MessageText.cut(message)
        self.reason = reason
    }
}

extension FirestoreError {
    /// A document whose stored fields make no sense; writing or deleting it heals that.
    package static func damaged(_ path: DocumentPath) -> Self {
        Self(
            .dataLoss,
            """
            The fields of the document \(path) are damaged in the database file. Write the document again, delete it, \
            or restore a backup.
            """
        )
    }

    package static func corrupted(_ what: String) -> Self {
        Self(.dataLoss, "The database file holds \(what) this version cannot read. Restore a backup or start anew.")
    }
}
