// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FaultPlanning
import FeedClient
import Foundation
import SeededRandom
import SessionLog

/// Lets one download in a hundred fail, by the fault API of Google's testbench, which the emulator has too.
final class FaultyTransport: HTTPTransport {
    private static let faults = [
        "return-503", "return-429", "return-500", "return-reset-connection", "return-broken-stream",
        "return-broken-stream-after-8K", "return-404",
    ]

    private let base: any HTTPTransport
    private let storage: URL
    private let generator: Locked<SplitMix64>
    private let faults = Locked(0)

    init(_ base: any HTTPTransport, storage: URL, seed: UInt64) {
        self.base = base
        self.storage = storage
        generator = Locked(SplitMix64(seed: seed))
    }

    /// The downloads that were made to fail.
    var faultCount: Int { faults.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let choice = generator.withLock { $0.integer(in: 0...99) == 0 ? $0.integer(in: 0...Self.faults.count) : nil }
        guard let choice, request.method == "GET" else { return try await base.send(request) }
        faults.withLock { $0 += 1 }
        var request = request
        if choice == Self.faults.count {
            request.headers["x-goog-emulator-instructions"] = "return-corrupted-data"
        } else {
            request.headers["x-retry-test-id"] = try await base.planFault(Self.faults[choice], at: storage)
        }
        return try await base.send(request)
    }
}
