// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import SessionLog

extension SessionLog {
    /// The log with the views of the users who are in one of a number of parts, counted from 1; each user is in one of them.
    package func part(_ number: Int, of count: Int) -> SessionLog {
        var parts: [String: Int] = [:]
        let views = views.filter { view in
            let part = parts[view.client] ?? Self.part(of: view.client, count: count)
            parts[view.client] = part
            return part == number - 1
        }
        return with(views: views)
    }

    private static func part(of client: String, count: Int) -> Int {
        Int(FNV1a64.hash(of: client.utf8) % UInt64(count))
    }
}
