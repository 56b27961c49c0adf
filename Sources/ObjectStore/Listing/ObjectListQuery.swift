// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which part of a bucket to list.
package struct ObjectListQuery: Hashable, Sendable {
    /// The most entries of a page, as in production; larger wishes get this many.
    package static let entryCountMax = 1_000

    /// The bytes that all names begin with; empty for all names.
    package var prefix: String
    /// The text at which names after the prefix are cut into common prefixes; `nil` or empty for none.
    package var delimiter: String?
    /// The least name, included; `nil` for no bound.
    package var startOffset: String?
    /// The name that ends the listing, itself excluded; `nil` for no bound.
    package var endOffset: String?
    /// Where the page before ended; `nil` for the first page.
    package var pageToken: String?
    /// The most entries, items and prefixes together; always between 1 and `entryCountMax`.
    package var maxResults: Int {
        didSet { maxResults = Self.clamp(maxResults) }
    }

    /// Creates a query for the first page of everything; what is named narrows it.
    package init(
        prefix: String = "",
        delimiter: String? = nil,
        startOffset: String? = nil,
        endOffset: String? = nil,
        pageToken: String? = nil,
        maxResults: Int = Self.entryCountMax
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.startOffset = startOffset
        self.endOffset = endOffset
        self.pageToken = pageToken
        self.maxResults = Self.clamp(maxResults)
    }

    private static func clamp(_ count: Int) -> Int {
        min(max(count, 1), entryCountMax)
    }
}
