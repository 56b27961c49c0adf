// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import Wire

/// The memory that one request holds of its connection's.
///
/// A message is admitted by the length that its head announces: else many that come at a time would all be refused
/// half-way.
struct RequestMemory {
    private let connection: ConnectionMemory
    private var headByteCount = 0
    private var requestByteCount = 0

    init(_ connection: ConnectionMemory) {
        self.connection = connection
    }

    /// Holds the header fields, until the call is over.
    mutating func holdHead(ofByteCount byteCount: Int) throws(RequestRefusal) {
        do {
            try connection.take(byteCount)
        } catch {
            throw .memoryExceeded(error)
        }
        headByteCount += byteCount
    }

    /// Holds `byteCount` bytes of messages from now on.
    mutating func holdRequest(ofByteCount byteCount: Int) throws(RPCError) {
        guard byteCount > requestByteCount else { return shrinkRequest(toByteCount: byteCount) }
        do {
            try connection.take(byteCount - requestByteCount)
        } catch {
            throw .memoryExceeded(error)
        }
        requestByteCount = byteCount
    }

    /// Holds no more than `byteCount` bytes of messages from now on.
    mutating func shrinkRequest(toByteCount byteCount: Int) {
        guard byteCount < requestByteCount else { return }
        connection.giveBack(requestByteCount - byteCount)
        requestByteCount = byteCount
    }

    mutating func giveBack() {
        shrinkRequest(toByteCount: 0)
        connection.giveBack(headByteCount)
        headByteCount = 0
    }
}
