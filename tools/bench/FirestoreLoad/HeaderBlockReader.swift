// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a response's header block says of how the call went.
struct ResponseHeaders {
    var httpStatus: Int?
    var grpcStatus: Int?
    var grpcMessage = ""
}

/// Reads HPACK blocks (RFC 7541) of a server that was told to keep no table, so that equal bytes mean the same.
struct HeaderBlockReader {
    private static let statusByStaticIndex = [8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500]
    private static let rememberedCountMax = 4

    private var remembered: [(block: [UInt8], headers: ResponseHeaders)] = []

    mutating func read(_ block: UnsafeRawBufferPointer) throws(LoadError) -> ResponseHeaders {
        for entry in remembered where block.elementsEqual(entry.block) { return entry.headers }
        var parser = HeaderBlockParser(rest: block)
        var headers = ResponseHeaders()
        while let (name, value) = try parser.next(statuses: Self.statusByStaticIndex) {
            switch name {
            case ":status": headers.httpStatus = Int(value)
            case "grpc-status": headers.grpcStatus = Int(value)
            case "grpc-message": headers.grpcMessage = value
            default: break
            }
        }
        if remembered.count == Self.rememberedCountMax { remembered.removeFirst() }
        remembered.append((Array(block), headers))
        return headers
    }
}

private struct HeaderBlockParser {
    var rest: UnsafeRawBufferPointer

    /// The next field; names of the static table are left empty, except `:status`.
    mutating func next(statuses: [Int: Int]) throws(LoadError) -> (name: String, value: String)? {
        while let first = rest.first {
            if first & 0x80 != 0 {
                let index = try integer(prefix: 7)
                guard index <= 61 else { throw .unexpected("a header from a table that it was told not to keep") }
                return statuses[index].map { (":status", String($0)) } ?? ("", "")
            }
            if first & 0xE0 == 0x20 {
                _ = try integer(prefix: 5)  // the size of the table
                continue
            }
            let index = try integer(prefix: first & 0x40 != 0 ? 6 : 4)
            let name = index == 0 ? try string() : (statuses[index] == nil ? "" : ":status")
            return (name, try string())
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
