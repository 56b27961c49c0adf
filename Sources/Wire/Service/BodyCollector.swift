// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import HummingbirdCore
import NIOConcurrencyHelpers
package import NIOCore

/// Holds the body of one answer.
package final class BodyCollector: ResponseBodyWriter {
    private let collected = NIOLockedValueBox(ByteBuffer())

    /// Creates a collector without bytes.
    package init() {}

    /// The bytes written so far.
    package var bytes: ByteBuffer { collected.withLockedValue { $0 } }

    package func write(_ buffer: ByteBuffer) async throws {
        collected.withLockedValue { _ = $0.writeImmutableBuffer(buffer) }
    }

    package consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
