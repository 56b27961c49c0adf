// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The results of reading documents by name.
package struct LookupResult: Sendable, Equatable {
    /// One document, there or not.
    package enum Entry: Sendable, Equatable {
        case found(Document)
        case missing(DocumentPath)
    }

    /// One for each distinct name, in the order first asked for.
    package var entries: [Entry]
    package var readTime: Timestamp
    /// One per reference asked for, missing and repeated ones too.
    ///
    /// Source: reads of documents that do not exist were billed (BasedHardware/omi, pull request 12221).
    package var billedReads: Int
}
