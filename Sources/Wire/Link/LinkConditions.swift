// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The delay and the speeds of a link.
package struct LinkConditions: Sendable, Hashable {
    /// The longest delay, in milliseconds.
    package static let latencyMillisecondsMax = 60_000
    /// The highest speed, in kilobits per second: more is no limit on a machine's own network.
    package static let kilobitsPerSecondMax = 10_000_000

    /// How much later an answer comes, in milliseconds; half of it passes before the request arrives.
    package var latencyMilliseconds: Int
    /// The speed of what clients receive, in 1,000 bits per second; `nil` without a limit.
    package var downKilobitsPerSecond: Int?
    /// The speed of what clients send, in 1,000 bits per second; `nil` without a limit.
    package var upKilobitsPerSecond: Int?

    /// Creates conditions; without any the link is as it is.
    package init(latencyMilliseconds: Int = 0, downKilobitsPerSecond: Int? = nil, upKilobitsPerSecond: Int? = nil) {
        self.latencyMilliseconds = latencyMilliseconds
        self.downKilobitsPerSecond = downKilobitsPerSecond
        self.upKilobitsPerSecond = upKilobitsPerSecond
    }

    /// Whether the link is as it is.
    package var isDirect: Bool { self == LinkConditions() }

    func kilobitsPerSecond(_ direction: NetworkLink.Direction) -> Int? {
        direction == .up ? upKilobitsPerSecond : downKilobitsPerSecond
    }
}

/// Conditions that have a name.
package struct LinkProfile: Sendable {
    /// The name in options and calls, such as `3g-slow`.
    package let name: String
    /// The name as people know it, such as `3G, slow`.
    package let title: String
    /// The delay and the speeds.
    package let conditions: LinkConditions

    private init(_ name: String, _ title: String, _ latency: Int, down: Int, up: Int) {
        (self.name, self.title) = (name, title)
        conditions = LinkConditions(
            latencyMilliseconds: latency,
            downKilobitsPerSecond: down,
            upKilobitsPerSecond: up
        )
    }

    /// All of them, the slowest first (WebPageTest, `www/settings/connectivity.ini.sample`, read 2026-11; 4G as its
    /// site offers it).
    package static let all = [
        LinkProfile("2g", "2G", 1_300, down: 35, up: 32),
        LinkProfile("edge", "Edge", 840, down: 240, up: 200),
        LinkProfile("3g-slow", "3G, slow", 200, down: 780, up: 330),
        LinkProfile("3g", "3G", 300, down: 1_600, up: 768),
        LinkProfile("3g-fast", "3G, fast", 150, down: 1_600, up: 768),
        LinkProfile("4g", "4G", 170, down: 9_000, up: 9_000),
        LinkProfile("cable", "Cable", 28, down: 5_000, up: 1_000),
    ]
}
