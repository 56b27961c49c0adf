// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The named limits of calls.
package struct GRPCLimits: Sendable {
    /// The largest message that is read, and the largest that a compressed one may become.
    ///
    /// "Maximum API request size: 10 MiB" (Firestore quotas page, 2026).
    package static let messageByteCountMaxDefault = 10 << 20

    /// The header fields of a call: gRPC's hard limit (its soft one is 8 KiB).
    static let metadataByteCountMax = 16 << 10
    /// The text of a status, escaped.
    ///
    /// Clients refuse trailers above 8 KiB (the default of grpc-core and grpc-java), and then report that instead.
    static let statusMessageByteCountMax = 4 << 10
    /// The header fields of a response that failed; `grpc-status-details-bin` is left out of longer ones.
    static let trailersByteCountMax = 8 << 10
    /// Bytes of whole messages that wait for their handler before no more are read.
    static let inboundByteCountHigh = 256 << 10
    static let inboundByteCountLow = 128 << 10
    /// Bytes of messages that wait for their client before the handler has to wait.
    static let outboundByteCountHigh = 64 << 10
    static let outboundByteCountLow = 32 << 10
    /// The least weight of a waiting message, so that empty ones are bounded too.
    static let messageCost = 64

    /// The largest message that is read, and the largest that a compressed one may become.
    package var messageByteCountMax: Int

    /// Creates limits.
    package init(messageByteCountMax: Int = Self.messageByteCountMaxDefault) {
        precondition(messageByteCountMax > 0, "messages must be allowed (at most \(messageByteCountMax) bytes)")
        self.messageByteCountMax = messageByteCountMax
    }
}
