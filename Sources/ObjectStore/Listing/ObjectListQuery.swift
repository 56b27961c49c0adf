// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which part of a bucket to list.
package struct ObjectListQuery: Hashable, Sendable {
    /// The most entries of a page, as in production; larger requests get this many.
    package static let entryCountMax = 1_000

    /// Which versions of objects a listing shows.
    package enum Versions: Hashable, Sendable {
        /// The live ones.
        case live
        /// The live and the noncurrent ones.
        case all
        /// Those that can be restored.
        case softlyDeleted
    }

    /// A requirement on the labels of objects.
    package struct ContextFilter: Hashable, Sendable {
        /// The key of the label.
        package var key: String
        /// Its value; `nil` for any.
        package var value: String?
        /// Whether the objects without such a label are wanted.
        package var isNegated: Bool

        /// Creates a requirement.
        package init(key: String, value: String?, isNegated: Bool) {
            self.key = key
            self.value = value
            self.isNegated = isNegated
        }

        func admits(_ object: ObjectMetadata) -> Bool {
            let label = object.attributes.contexts[key]
            let isThere = label.map { value == nil || value == $0.value } ?? false
            return isThere != isNegated
        }
    }

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
    /// Which versions are shown.
    package var versions = Versions.live
    /// The pattern that names and common prefixes must have; `nil` for all.
    package var glob: ObjectGlob?
    /// The labels that items must have; `nil` for any.
    package var contextFilter: ContextFilter?
    /// Whether objects whose names end at the delimiter are items as well as common prefixes.
    package var includesTrailingDelimiter = false

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
