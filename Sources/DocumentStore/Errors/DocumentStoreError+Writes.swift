// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts, as its client tests assert them, where they are known; else the official emulator's (1.19.9).
extension DocumentStoreError {
    static func documentMissing(_ reference: DocumentReference) -> Self {
        Self(.notFound, "No document to update: \(reference.name)")
    }

    static func documentExists(_ reference: DocumentReference) -> Self {
        Self(.alreadyExists, "Document already exists: \(reference.name)")
    }

    /// A missing document has version 0.
    static func versionMismatch(stored: Timestamp?, required: Timestamp) -> Self {
        Self(
            .failedPrecondition,
            """
            the stored version (\(stored?.microseconds ?? 0)) does not match \
            the required base version (\(required.microseconds))
            """
        )
    }

    static var preconditionTooPrecise: Self {
        Self(.invalidArgument, "timestamp cannot have more than microseconds precision")
    }

    static var transformNeedsNumber: Self {
        Self(.invalidArgument, "Input must be int64 or double.")
    }
}
