// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The environment of a pipeline: time, waiting and chance.
package struct PipelineEnvironment: Sendable {
    /// Microseconds since 1970.
    package var now: @Sendable () -> Int64
    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 to 1.
    package var unitInterval: @Sendable () -> Double
    /// The most bytes of images that wait for their turn to enter the caches; beyond, they enter out of turn.
    package var arrivedByteCountMax: Int

    /// Creates an environment, the real one by default.
    package init(
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000_000) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        unitInterval: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        arrivedByteCountMax: Int = ImagePipeline.arrivedByteCountMax
    ) {
        self.now = now
        self.sleep = sleep
        self.unitInterval = unitInterval
        self.arrivedByteCountMax = arrivedByteCountMax
    }
}
