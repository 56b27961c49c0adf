// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// Why an event was not answered.
package enum EventPostError: Error, Sendable {
    /// There was no answer in time.
    case timedOut
    /// The service cannot be reached, or broke off.
    case unreachable
}

/// Sends events to services.
package protocol EventPosting: Sendable {
    /// Sends an event.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - headers: The header fields.
    ///   - url: The address.
    ///   - timeout: The time until the answer is there.
    /// - Returns: The HTTP status of the answer.
    /// - Throws: ``EventPostError``.
    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to url: String,
        timeout: Duration
    ) async throws(EventPostError) -> Int
}

/// Sends events over HTTP.
package struct HTTPEventPoster: EventPosting {
    /// Creates a sender.
    package init() {}

    package func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to url: String,
        timeout: Duration
    ) async throws(EventPostError) -> Int {
        do {
            return try await OutgoingCall.send(body, headers: headers, to: url, timeout: timeout).status
        } catch {
            throw error.isTimeout ? .timedOut : .unreachable
        }
    }
}
