// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// Production's texts where they are recorded (2026-09), else the official emulator's (1.19.9).
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

    static let listPageSizeNegative = invalid("Page size must be nonnegative.")

    static let missingInOrder = invalid("cannot specify an order when show_missing is true")

    static let pageSizeNegative = invalid("page_size must be greater than or equal to zero.")

    static func documentNotFound(_ reference: DocumentReference) -> Self {
        Self(code: .notFound, message: "Document \"\(reference)\" not found.")
    }

    static func orderByInvalid(_ clause: String) -> Self {
        invalid("Invalid order by clause \"\(clause)\".")
    }

    static let pageTokenInvalid = invalid("invalid page token")

    /// Production's answer on databases of the Standard edition (recorded 2026-09), with the words of an older one that
    /// clients look for.
    static let pipelineUnimplemented = Self(
        code: .failedPrecondition,
        message: """
            Pipeline Operations are only available for Firestore databases in Enterprise edition.

            Please switch to an Enterprise edition database to take advantage of such functionality.
            (Pipelines are only allowed on ENTERPRISE mode databases.)
            """,
        details: [
            .info(reason: "PIPELINE_REQUIRES_ENTERPRISE_EDITION"),
            .help([
                ErrorDetail.HelpLink(
                    description: "Learn more about Firestore database editions",
                    url: "https://cloud.google.com/firestore/docs/editions"
                )
            ]),
        ]
    )
}
