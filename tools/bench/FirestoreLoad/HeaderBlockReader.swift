// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The call's status in a response's header block.
struct ResponseHeaders {
    var httpStatus: Int?
    var grpcStatus: Int?
    var grpcMessage = ""
}

/// Reads HPACK blocks (RFC 7541) with a table as SDKs keep it.
struct HeaderBlockReader {
    private static let rememberedCountMax = 4

    private var table = HeaderTable()
    /// Blocks that inserted nothing, so that until one does, equal bytes mean the same.
    private var remembered: [(block: [UInt8], headers: ResponseHeaders)] = []

    mutating func read(_ block: UnsafeRawBufferPointer) throws(LoadError) -> ResponseHeaders {
        for entry in remembered where block.elementsEqual(entry.block) { return entry.headers }
        let insertedCount = table.insertedCount
        var parser = HeaderBlockParser(rest: block)
        var headers = ResponseHeaders()
        while let (name, value) = try parser.next(&table) {
            switch name {
            case ":status": headers.httpStatus = Int(value)
            case "grpc-status": headers.grpcStatus = Int(value)
            case "grpc-message": headers.grpcMessage = value
            default: break
            }
        }
        guard table.insertedCount == insertedCount else {
            remembered.removeAll(keepingCapacity: true)
            return headers
        }
        if remembered.count == Self.rememberedCountMax { remembered.removeFirst() }
        remembered.append((Array(block), headers))
        return headers
    }
}

/// The fields that the server refers to by number: of the fixed ones only the statuses, for no other is looked at, and
/// those it has sent.
private struct HeaderTable {
    private static let statusByFixedIndex = [8: "200", 9: "204", 10: "206", 11: "304", 12: "400", 13: "404", 14: "500"]
    private static let fixedCount = 61
    private static let byteCountMax = 4_096
    private static let fieldOverhead = 32
    /// No more fit (RFC 7541 section 4.1): no server refers to an older one.
    private static let sentCountMax = byteCountMax / fieldOverhead

    private var sent: [(name: String, value: String)] = []
    private(set) var insertedCount = 0

    func field(at index: Int) throws(LoadError) -> (name: String, value: String) {
        if index <= Self.fixedCount { return Self.statusByFixedIndex[index].map { (":status", $0) } ?? ("", "") }
        guard index - Self.fixedCount <= sent.count else { throw .unexpected("a header that was never sent") }
        return sent[sent.count - (index - Self.fixedCount)]
    }

    mutating func insert(_ field: (name: String, value: String)) {
        insertedCount += 1
        guard field.name.utf8.count + field.value.utf8.count + Self.fieldOverhead <= Self.byteCountMax else {
            // Larger than the table: it empties it (section 4.4).
            return sent.removeAll()
        }
        if sent.count == Self.sentCountMax { sent.removeFirst() }
        sent.append(field)
    }
}

private struct HeaderBlockParser {
    var rest: UnsafeRawBufferPointer

    /// The next field; names of the fixed table are left empty, except `:status`.
    mutating func next(_ table: inout HeaderTable) throws(LoadError) -> (name: String, value: String)? {
        while let first = rest.first {
            if first & 0x80 != 0 { return try table.field(at: try integer(prefix: 7)) }
            if first & 0xE0 == 0x20 {
                _ = try integer(prefix: 5)  // the size of the table
                continue
            }
            let isInserted = first & 0x40 != 0
            let index = try integer(prefix: isInserted ? 6 : 4)
            let name = index == 0 ? try string() : try table.field(at: index).name
            let field = (name, try string())
            if isInserted { table.insert(field) }
            return field
        }
        return nil
    }

    private mutating func string() throws(LoadError) -> String {
        let isHuffmanCoded = (rest.first ?? 0) & 0x80 != 0
        let count = try integer(prefix: 7)
        guard count <= rest.count else { throw .unexpected("a header longer than its block") }
        let bytes = UnsafeRawBufferPointer(rebasing: rest[..<(rest.startIndex + count)])
        rest = UnsafeRawBufferPointer(rebasing: rest[(rest.startIndex + count)...])
        return isHuffmanCoded ? HuffmanCode.decode(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    private mutating func integer(prefix: Int) throws(LoadError) -> Int {
        let mask = (1 << prefix) - 1
        var value = Int(try byte()) & mask
        guard value == mask else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            let next = Int(try byte())
            value += (next & 0x7F) << shift
            if next & 0x80 == 0 { return value }
        }
        throw .unexpected("a broken header integer")
    }

    private mutating func byte() throws(LoadError) -> UInt8 {
        guard let first = rest.first else { throw .unexpected("a header block that ends early") }
        rest = UnsafeRawBufferPointer(rebasing: rest[(rest.startIndex + 1)...])
        return first
    }
}
