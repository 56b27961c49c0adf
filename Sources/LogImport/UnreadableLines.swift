// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The beginning of a line that is not of its log's format.
package struct UnreadableLine: Sendable, Hashable, Comparable, Codable {
    private static let byteCountMax = 60

    /// The first characters, without what an address may have behind its `?`.
    package let beginning: String

    init(_ line: UnsafeBufferPointer<UInt8>) {
        let beginning = line.prefix(Self.byteCountMax).prefix { $0 != UInt8(ascii: "?") && $0 != 0x0A && $0 != 0x0D }
        let isWhole = beginning.count == line.count
        self.beginning = String(decoding: beginning, as: UTF8.self) + (isWhole ? "" : "…")
    }

    package static func < (left: Self, right: Self) -> Bool { left.beginning < right.beginning }
}

/// The lines that are not of their log's format: how many, and some of them.
package struct UnreadableLines: Sendable, Hashable, Codable {
    private static let sampleCountMax = 3

    /// The lines.
    package private(set) var count: Int64 = 0
    /// The first ones in the order of their texts, which is the same for the parts of a log in any order.
    package private(set) var samples: [UnreadableLine] = []

    mutating func add(_ line: UnreadableLine) {
        count += 1
        add([line])
    }

    mutating func add(_ other: UnreadableLines) {
        count += other.count
        add(other.samples)
    }

    private mutating func add(_ lines: [UnreadableLine]) {
        samples = Array(Set(samples + lines).sorted().prefix(Self.sampleCountMax))
    }

    /// `2 lines that are not of the format, passed over, such as 'garbage'`; `nil` without any.
    package var sentence: String? {
        guard count > 0 else { return nil }
        let lines = count == 1 ? "1 line that is not of the format" : "\(count) lines that are not of the format"
        return "\(lines), passed over, such as \(samples.map { "'\($0.beginning)'" }.joined(separator: ", "))"
    }
}
