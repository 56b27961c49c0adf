// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Events in the order in which they were added: a block in memory, all before it in a file.
struct EventSpool {
    private static let blockByteCount = 64 << 10

    private var block = NumberBytes()
    private var file = BlockFile()
    private var blocks: [BlockFile.Block] = []
    private(set) var count = 0

    mutating func append(_ event: ActivityEvent) throws(SessionLogError) {
        event.append(to: &block)
        count += 1
        guard block.bytes.count >= Self.blockByteCount else { return }
        blocks.append(try file.append(block.bytes))
        block.removeAll()
    }

    /// The events, which can be read any number of times.
    var stored: StoredEvents { StoredEvents(file: file, blocks: blocks, last: block.bytes) }
}

/// The events of a spool.
struct StoredEvents: Sendable {
    fileprivate let file: BlockFile
    fileprivate let blocks: [BlockFile.Block]
    fileprivate let last: [UInt8]

    /// Hands out the events in their order.
    func read(_ body: (ActivityEvent) throws(SessionLogError) -> Void) throws(SessionLogError) {
        for block in blocks { try Self.read(try file.read(block), body) }
        try Self.read(last, body)
    }

    private static func read(
        _ bytes: [UInt8],
        _ body: (ActivityEvent) throws(SessionLogError) -> Void
    ) throws(SessionLogError) {
        var numbers = NumberBytes.Reader(bytes)
        while let event = ActivityEvent(from: &numbers) { try body(event) }
    }
}
