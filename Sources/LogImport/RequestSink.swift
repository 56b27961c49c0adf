// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes in the requests of a log, one after the other.
package protocol RequestSink {
    /// Whether taking requests in takes about as long as reading them: then a log is read on a thread of its own.
    static var isSlow: Bool { get }

    /// Whether names of buckets and objects are asked for; otherwise they may be empty.
    var readsNames: Bool { get }

    /// Takes in a request, whose texts hold until this returns.
    mutating func take(_ request: borrowing LoggedRequest) throws

    /// Notes that a request was taken in before.
    mutating func takeDuplicate()

    /// Notes a line that is not of the log's format, by its beginning.
    mutating func takeUnreadable(_ line: UnreadableLine)
}

extension RequestSink {
    package static var isSlow: Bool { false }

    package var readsNames: Bool { true }

    package mutating func takeDuplicate() {}

    package mutating func takeUnreadable(_ line: UnreadableLine) {}
}
