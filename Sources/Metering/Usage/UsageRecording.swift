// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes usage records off the request path.
public protocol UsageRecording: Sendable {
    /// Takes a record; returns without waiting for storage or other input and output.
    ///
    /// Called on the event loop that served the request, in the order in which requests ended there.
    func record(_ record: UsageRecord)
}
