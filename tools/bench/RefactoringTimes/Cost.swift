// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a screen costs: the time since it was asked for, and the body bytes that came for it.
struct Cost: Codable, CustomStringConvertible {
    var seconds: Double
    var bodyBytes: Int

    var description: String {
        "\(seconds.formatted(.number.precision(.fractionLength(2)))) s, "
            + "\((Double(bodyBytes) / 1_000_000).formatted(.number.precision(.fractionLength(2)))) MB"
    }

    init(seconds: Double, bodyBytes: Int) {
        self.seconds = seconds
        self.bodyBytes = bodyBytes
    }

    /// The median of the times; the bytes are the same each time, or the largest.
    init(medianOf costs: [Cost]) {
        let times = costs.map(\.seconds).sorted()
        let middle = times.count / 2
        seconds = times.count.isMultiple(of: 2) ? (times[middle - 1] + times[middle]) / 2 : times[middle]
        bodyBytes = costs.map(\.bodyBytes).max() ?? 0
    }
}
