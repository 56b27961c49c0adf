// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Foundation

/// `shaped_relay.py` in a process of its own.
final class ShapedRelay {
    let urls: [URL]
    private let process = Process()

    init(_ network: Network, _ servers: [String]) throws {
        let output = Pipe()
        let kilobits = String(network.downBitsPerSecond / 1_000)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", "tools/bench/shaped_relay.py", "--down", kilobits, "--up", kilobits]
            + ["--rtt", String(Double(network.roundTrip) / 1_000_000)] + servers
        process.standardOutput = output
        try process.run()
        let line = output.fileHandleForReading.availableData
        let addresses = try JSONDecoder().decode([String: String].self, from: line)
        urls = servers.compactMap { addresses[$0].flatMap { URL(string: "http://\($0)") } }
    }

    func stop() { process.terminate() }
}
