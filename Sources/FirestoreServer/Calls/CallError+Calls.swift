// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

// Where the official emulator 1.19.9 has a text, it is the text (measured 2026-11).
extension CallError {
    static let metadataNeedsAdmin = Self(
        code: .permissionDenied,
        message: "Metadata operations require admin authentication."
    )

    static let createWithName = invalid("document.name must not be set")

    static let documentWrittenTwice = invalid(
        "the same document cannot be written more than once in a single request"
    )

    static let queryMissing = invalid("only structured queries are supported")

    static let pageSizeNegative = invalid("page_size must be greater than or equal to zero.")

    static func documentNotFound(_ reference: DocumentReference) -> Self {
        Self(code: .notFound, message: "Document (\(reference)) not found.")
    }

    static func orderByInvalid(_ clause: String) -> Self {
        invalid("Invalid order by clause \"\(clause)\".")
    }

    // The official emulator answers these differently or not at all.

    static let pageTokenInvalid = invalid("The page token is not one this server gave; start again without it.")

    static let transactionUnimplemented = unimplemented(
        "Transactions are not implemented; send the request without a transaction."
    )

    static let readTimeUnimplemented = unimplemented(
        "Reading at a read_time is not implemented; leave it out to read the latest state."
    )

    static let explainUnimplemented = unimplemented(
        "explain_options are not implemented; leave them out to run the query."
    )
}
