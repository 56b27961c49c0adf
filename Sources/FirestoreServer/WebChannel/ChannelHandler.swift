// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The call behind a session: takes the page's messages, and answers through the session.
protocol ChannelHandler: AnyObject, Sendable {
    /// Takes the next message, on a thread that may block; one after the other.
    func take(_ json: [UInt8], of delivery: ChannelSession.Delivery)
    /// Says where answers are written from now on.
    func answers(goThrough queue: PushQueue)
    /// Ends the call, whose session has ended.
    func close()
}
