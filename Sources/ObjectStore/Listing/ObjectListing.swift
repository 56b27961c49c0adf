// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A page of a listing: items and prefixes, each in the order of their bytes.
package struct ObjectListing: Hashable, Sendable {
    /// The objects that no common prefix stands for.
    package var items: [ObjectMetadata]
    /// The common prefixes, each ending with the delimiter.
    package var prefixes: [String]
    /// The token of the next page; `nil` on the last.
    package var nextPageToken: String?

    /// Creates a page; the page of an empty bucket when nothing is named.
    package init(items: [ObjectMetadata] = [], prefixes: [String] = [], nextPageToken: String? = nil) {
        self.items = items
        self.prefixes = prefixes
        self.nextPageToken = nextPageToken
    }
}
