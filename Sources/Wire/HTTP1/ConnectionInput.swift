// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The requests of an HTTP/1.1 connection as far as they have come, shared by its handlers.
final class ConnectionInput {
    /// Sees all bytes that are metered, and none where nothing is.
    var framer = RequestFramer()
    /// A head has come, and more of its request is to follow.
    var isReadingRequest = false
    /// The decoder has met what it cannot read, and reads no more.
    var isBroken = false
}
