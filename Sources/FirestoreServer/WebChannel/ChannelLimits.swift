// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The named limits of channels; our own choice where no source is named.
enum ChannelLimits {
    /// The sessions that may be open at a time.
    static let sessionCountMax = 50_000
    /// The messages of one request (closure-library, `MAX_MAPS_PER_REQUEST_`, 2026-11).
    static let messageCountMax = 1_000
    /// A request's body: the longest REST body with every third character percent-encoded.
    static let bodyByteCountMax = 2 * CallError.restBodyByteCountMax
    /// A message, as long as a body of REST.
    static let messageByteCountMax = CallError.restBodyByteCountMax
    /// Bytes of messages that wait for one that was sent before them.
    static let parkedByteCountMax = CallError.restBodyByteCountMax

    /// Bytes of answers that the page has not acknowledged; the call waits when there are more.
    static let outboundByteCountMax = 256 << 10
    /// Answers that the page has not acknowledged.
    static let outboundCountMax = 1_000
    /// A back channel ends where this is unacknowledged, for a page acknowledges with its next one.
    static let byteCountOfBackChannel = 128 << 10
    static let countOfBackChannel = 500
    /// Bytes of a chunk, unless one answer alone has more.
    static let chunkByteCountMax = 64 << 10

    /// How often sessions are looked at.
    static let interval = Duration.seconds(1)
    /// Looks without an answer after which a back channel gets a sign of life.
    static let keepAliveLookCount = 30
    /// Looks without any request after which a session ends: a page repeats a lost one three times within 45 s
    /// (closure-library, `BACK_CHANNEL_MAX_RETRIES`, `getRetryTime_`, 2026-11).
    static let abandonedLookCount = 60
}
