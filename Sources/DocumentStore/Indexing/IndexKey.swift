// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How production cuts values off in its indexes; ours hold them whole.
enum IndexKey {
    /// Source: cloud.google.com/firestore/quotas, maximum size of an indexed field value (2026-11).
    static let valueByteCountMax = 1_500

    static func truncate(_ value: OrderedKey) -> OrderedKey {
        guard value.bytes.count > valueByteCountMax else { return value }
        return OrderedKey(Array(value.bytes.prefix(valueByteCountMax)))
    }
}
