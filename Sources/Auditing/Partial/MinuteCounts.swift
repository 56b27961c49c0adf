// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bytes by the minute, written in the order of the minutes: the same counts are the same JSON.
struct MinuteCounts: Sendable, Hashable {
    var byMinute: [Int64: Int64]
}

extension MinuteCounts: Codable {
    init(from decoder: any Decoder) throws { byMinute = try [Int64: Int64](from: decoder) }

    /// Writes each minute and its count, as Swift does for a dictionary with numbers of 64 bits for keys.
    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for (minute, count) in byMinute.sorted(by: { $0.key < $1.key }) {
            try list.encode(minute)
            try list.encode(count)
        }
    }
}
