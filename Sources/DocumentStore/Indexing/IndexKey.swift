// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How production cuts values off in its indexes; ours hold them whole.
enum IndexKey {
    /// Source: cloud.google.com/firestore/quotas, maximum size of an indexed field value (2026-11).
    static let valueByteCountMax = 1_500

    static func truncate(_ value: OrderedKey) -> OrderedKey {
        guard value.bytes.count > valueByteCountMax else { return value }
        return OrderedKey(Array(value.bytes.prefix(valueByteCountMax)))
    }
}

/// When indexes are built and how many are kept.
///
/// All numbers are our own choice: a scan of a few hundred documents takes less than a millisecond.
package struct IndexLimits: Sendable {
    /// Queries look through this many documents without an index; for more one is built.
    package var scanCountMax = 256
    /// Of one collection or one collection group; the one not used for longest goes first.
    package var indexCountMaxPerScope = 32
    /// Of all databases.
    var indexCountMax = 512

    package init() {}
}
