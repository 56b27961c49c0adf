// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import Foundation
import SessionLog

/// Where a simulated feed lives: addresses without a listener.
package enum SimulatedEndpoint {
    /// The address of Firestore.
    package static let firestore = address("firestore.invalid")
    /// The address of Cloud Storage for Firebase.
    package static let storage = address("storage.invalid")

    /// The endpoint of a feed.
    static func endpoint(of feed: SessionHeader.Feed) -> FeedEndpoint {
        FeedEndpoint(
            firestore: firestore,
            storage: storage,
            project: feed.project,
            database: feed.database,
            collection: feed.collection,
            bucket: feed.bucket
        )
    }

    private static func address(_ host: String) -> URL {
        guard let url = URL(string: "http://\(host)") else { preconditionFailure("\(host) is a host's name") }
        return url
    }
}
