// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts (recorded 2026-09).
extension CallError {
    static let partitionQueryMissing = invalid("Query is required.")

    static let partitionCountNotPositive = invalid("Partition count must be greater than zero.")

    static let partitionPageSizeNegative = invalid("Page size must be nonnegative.")

    static let partitionNotOfGroup = invalid("Query must select all descendant collections.")

    static let partitionFiltered = invalid("order by clause cannot contain more fields after the key")

    static let partitionPageTokenInvalid = invalid("invalid page token")

    static let pageTokenOfOtherPartition = invalid("Invalid page token.")

    static func partitionUnsupported(_ what: String) -> Self {
        invalid("\(what) not supported.")
    }
}
