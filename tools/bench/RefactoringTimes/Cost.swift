// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of a screen: the time since it was requested, and its body bytes.
struct Cost: Codable, CustomStringConvertible {
    var seconds: Double
    var bodyBytes: Int

    var description: String {
        let time = seconds < 0.1 ? "\(Self.text(seconds * 1_000)) ms" : "\(Self.text(seconds)) s"
        return bodyBytes == 0 ? time : "\(time), \(Self.text(Double(bodyBytes) / 1_000_000)) MB"
    }

    private static func text(_ number: Double) -> String { number.formatted(.number.precision(.fractionLength(2))) }

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
