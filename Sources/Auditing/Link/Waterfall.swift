// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The waterfall of one view: the query, the images, and the prefetched ones.
package struct Waterfall: Sendable, Hashable, Codable {
    /// Something that the view asked for; times in nanoseconds from the user's touch on.
    package struct Row: Sendable, Hashable, Codable {
        /// Where it came from.
        package enum Source: String, Sendable, Hashable, Codable {
            /// The document server.
            case query
            /// The metadata of an image.
            case lookup
            /// The object server.
            case network
            /// The cache in memory, or another request for the same image.
            case memory
            /// The cache on disk.
            case disk
        }

        /// Its subject: the query, or an object's name.
        package let name: String
        /// Where it came from.
        package let source: Source
        /// When the app asked for it.
        package let asked: Int64
        /// When the request was sent; before that it waited for others.
        package let sent: Int64
        /// When its first byte could come.
        package let ready: Int64
        /// When it was there.
        package let end: Int64
    }

    /// When the view was shown, in milliseconds of the session.
    let atMilliseconds: Int64
    /// Whether its user had seen the list before.
    let isReturn: Bool
    /// The content shown.
    package let screen: String
    /// The requests, in this order.
    package let rows: [Row]

    /// Draws the last step of a link.
    init(of link: SimulatedLink, images: ImageTable, atMilliseconds: Int64, isReturn: Bool, screen: String) {
        self.atMilliseconds = atMilliseconds
        self.isReturn = isReturn
        self.screen = screen
        rows = link.rows.map { row in
            Row(
                name: row.image.map { images.images[$0].reference.subject } ?? "documents",
                source: row.source,
                asked: row.asked - link.start,
                sent: row.span.sent - link.start,
                ready: row.span.ready - link.start,
                end: row.span.end - link.start
            )
        }
    }
}
