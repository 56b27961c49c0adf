// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Some requests of a trace, in their order.
package struct TraceBlock: Sendable {
    /// One request.
    package struct Request: Sendable, Hashable {
        /// The object, by its number: they are counted from 0 as they come up first, so that what is known of an object has a
        /// place in an array.
        package let object: Int32
        /// The object's bytes.
        package let byteCount: UInt32
        /// The number of the next request of the same object in the whole trace; `Int64.max` where there is none.
        package let nextRequest: Int64
    }

    /// The most requests of a block.
    static let requestCountMax = 4_096

    /// The requests.
    package internal(set) var requests: [Request] = []

    /// Creates an empty block.
    package init() { requests.reserveCapacity(Self.requestCountMax) }

    /// The highest number of an object; -1 without requests.
    var lastObject: Int { requests.reduce(-1) { max($0, Int($1.object)) } }

    mutating func removeAll() { requests.removeAll(keepingCapacity: true) }
}
