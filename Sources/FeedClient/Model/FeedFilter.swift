// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which posts a page has: those whose field has this value.
///
/// Production needs a composite index of the field and the order; `emulator serve --require-indexes` prints which.
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
