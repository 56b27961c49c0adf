// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A network between an app and its servers: how many bytes pass, and how long one takes.
package struct Network: Sendable, Hashable, Codable {
    /// The name, as `--network` takes it.
    package let name: String
    /// The name for people.
    package let title: String
    /// Bits per second towards the app.
    package let downBitsPerSecond: Int64
    /// Nanoseconds from a request to the first byte of an answer that takes no time to make.
    package let roundTrip: Int64
    /// Packets that are lost, of a million.
    package let lossPerMillion: Int64
    /// Where the figures are from, and of which day.
    package let source: String

    /// Creates a network.
    package init(
        name: String,
        title: String = "",
        downBitsPerSecond: Int64,
        roundTrip: Int64,
        lossPerMillion: Int64 = 0,
        source: String = ""
    ) {
        precondition(downBitsPerSecond > 0 && roundTrip >= 0, "a network without bits never ends")
        self.name = name
        self.title = title
        self.downBitsPerSecond = downBitsPerSecond
        self.roundTrip = roundTrip
        self.lossPerMillion = lossPerMillion
        self.source = source
    }
}
