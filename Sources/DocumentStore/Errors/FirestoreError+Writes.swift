// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// Production's texts where they are recorded (2026-09) or its client tests assert them; else the official emulator's
// (1.19.9).
extension FirestoreError {
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

    static func versionAhead(stored: Timestamp) -> Self {
        Self(
            .invalidArgument,
            "Invalid base version, it is greater than the stored version: \(stored.microseconds)"
        )
    }

    static var tooManyTransforms: Self {
        Self(
            .invalidArgument,
            "cannot have more than \(DocumentLimits.transformCountMax) field transforms on a single document"
        )
    }

    static func impossibleSequence(_ first: String, then second: String) -> Self {
        Self(.invalidArgument, "Cannot \(first) then \(second) an entity in the same request.")
    }

    static func differentVersions(_ first: Timestamp?, _ second: Timestamp) -> Self {
        func text(_ version: Timestamp?) -> String {
            version.map { "VersionPrecondition{exactBaseVersion=\($0.microseconds), maxBaseVersion=null}" } ?? "null"
        }
        return Self(
            .invalidArgument,
            "Cannot collapse mutations with different version preconditions (\(text(first)) and \(text(second)))"
        )
    }

    static var verifiedTwice: Self {
        Self(.invalidArgument, "the same document cannot be verified more than once in a single request")
    }

    static var verifiedThenWritten: Self {
        Self(.invalidArgument, "the same document cannot be verified and then written in a single request")
    }

    static var writtenThenVerified: Self {
        Self(.invalidArgument, "the same document cannot be written and then verified in a single request")
    }

    static func nestedTransforms(of path: FieldPath) -> Self {
        Self(
            .invalidArgument,
            "Cannot transform property \(path.unquoted) and its nested property at the same time."
        )
    }

    // Production's reasons (recorded 2026-09, only the first); the texts are not recorded.

    static func tooManyIndexEntries(of path: DocumentPath) -> Self {
        Self(
            .invalidArgument,
            "too many index entries for entity /\(path)",
            reason: "INDEX_ENTRIES_COUNT_LIMIT_EXCEEDED"
        )
    }

    static func indexEntryTooLarge(of path: DocumentPath) -> Self {
        Self(
            .invalidArgument,
            "an index entry for entity /\(path) is larger than \(IndexWeight.entryByteCountMax) bytes",
            reason: "INDEX_ENTRY_SIZE_LIMIT_EXCEEDED"
        )
    }

    static func indexEntriesTooLarge(of path: DocumentPath) -> Self {
        Self(
            .invalidArgument,
            "the index entries for entity /\(path) are larger than \(IndexWeight.byteCountMax) bytes together",
            reason: "INDEX_ENTRIES_SIZE_LIMIT_EXCEEDED"
        )
    }

    static var preconditionTooPrecise: Self {
        Self(.invalidArgument, "timestamp cannot have more than microseconds precision")
    }

    static var transformNeedsNumber: Self {
        Self(.invalidArgument, "Input must be a number.")
    }
}
