// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An event that is to be sent.
struct Delivery: Sendable {
    /// Events of a lane are sent one after the other, in their order.
    struct Lane: Hashable, Sendable {
        /// The function or the kind of event.
        let function: String
        /// The document, the object or the user.
        let subject: String
    }

    let lane: Lane
    /// The name under which the event is counted.
    let function: String
    let url: String
    /// The memory that it holds while it waits.
    let byteCount: Int
    /// Makes the event, once, before it is sent.
    let make: @Sendable () throws -> EventContent
    /// Called when the service does not know the function.
    var onMissing: (@Sendable () -> Void)?
}
