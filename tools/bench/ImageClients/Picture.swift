// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// A picture of a session, as the document that names it has it now.
struct Picture: Sendable, Hashable {
    let owner: String
    let feed: String
    let index: Int
    var byteCount: Int
    var generation: Int64?
    var token: String?

    var objectName: String { "\(owner)/\(feed)/\(index)" }

    func reference(in bucket: String) -> ImageReference {
        ImageReference(
            bucket: bucket,
            owner: owner,
            feed: feed,
            index: index,
            generation: generation,
            token: token,
            byteCount: byteCount
        )
    }
}
