// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// HPACK blocks of requests (RFC 7541), as SDKs write them: each field literally once, later as one byte.
///
/// One for each connection, because the server keeps the table of what was sent literally.
struct HeaderBlockWriter {
    private static let tableByteCount = 4_096
    private static let firstDynamicIndex = 62

    private let shared: [(name: String, value: String)]
    private let isIndexing: Bool
    private var inserted: [String: Int] = [:]
    private var isFirst = true
    private var last: (path: String, block: [UInt8], insertedCount: Int)?

    init(authority: String, shared: [(name: String, value: String)], tableByteCountMax: Int) {
        self.shared = [(":authority", authority)] + shared
        isIndexing = tableByteCountMax >= Self.tableByteCount
    }

    /// The block of a POST to a path.
    mutating func block(path: String) -> [UInt8] {
        if let last, last.path == path, last.insertedCount == inserted.count { return last.block }
        let insertedCount = inserted.count
        var block: [UInt8] = [0x83, 0x86]  // :method POST, :scheme http
        if isFirst, !isIndexing { block.insert(0x20, at: 0) }  // a smaller table is made known as empty (section 4.2)
        append(":path", path, to: &block)
        for (name, value) in shared { append(name, value, to: &block) }
        // A block that inserts is not repeated: sent twice, it would insert twice.
        if !isFirst, inserted.count == insertedCount { last = (path, block, insertedCount) }
        isFirst = false
        return block
    }

    private mutating func append(_ name: String, _ value: String, to block: inout [UInt8]) {
        let field = name + "=" + value
        if let order = inserted[field] {
            block.append(UInt8(0x80 | (Self.firstDynamicIndex + inserted.count - 1 - order)))
            return
        }
        block.append(isIndexing ? 0x40 : 0x00)
        for string in [name, value] { Self.append(string, to: &block) }
        if isIndexing { inserted[field] = inserted.count }
    }

    private static func append(_ string: String, to block: inout [UInt8]) {
        var count = string.utf8.count
        block.append(UInt8(min(count, 0x7F)))
        if count >= 0x7F {
            count -= 0x7F
            while count >= 0x80 {
                block.append(UInt8(count & 0x7F | 0x80))
                count >>= 7
            }
            block.append(UInt8(count))
        }
        block.append(contentsOf: string.utf8)
    }
}
