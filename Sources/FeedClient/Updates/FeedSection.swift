// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of a screen: one page of the feed under a heading.
public struct FeedSection: Sendable, Hashable {
    /// The heading, such as `filtered` or `recommended`.
    public var name: String
    /// The order of the posts.
    public var sort: FeedSort
    /// Which posts; `nil` for all.
    public var filter: FeedFilter?
    /// The most posts.
    public var size: Int
    /// Where the page begins; `nil` for the first.
    public var cursor: FeedCursor?

    /// Creates a section of eight posts, unless told otherwise.
    public init(
        name: String,
        sort: FeedSort,
        filter: FeedFilter? = nil,
        size: Int = 8,
        cursor: FeedCursor? = nil
    ) {
        self.name = name
        self.sort = sort
        self.filter = filter
        self.size = size
        self.cursor = cursor
    }
}

/// Which posts a page has: those whose field has this value.
///
/// Production needs a composite index of the field and the order; `emulator serve --require-indexes` tells which.
public struct FeedFilter: Sendable, Hashable {
    /// A value that a field can have.
    public enum Value: Sendable, Hashable {
        /// Text.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// True or false.
        case boolean(Bool)
    }

    /// The field's name.
    public var field: String
    /// The value.
    public var value: Value

    /// Creates a filter.
    public init(field: String, equals value: Value) {
        self.field = field
        self.value = value
    }
}
