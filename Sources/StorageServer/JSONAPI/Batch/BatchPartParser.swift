// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Takes one part of a batch apart: its own header, then an HTTP request.
struct BatchPartParser {
    /// The largest header of a part, and of the request in it, in bytes.
    static let headerByteCountMax = 16 << 10

    /// Why a part holds no call.
    enum Failure: Error, Equatable {
        case notHTTP
        case headerTooLarge
        case badHeader
        case badRequestLine

        var message: String {
            switch self {
            case .notHTTP: "has not the content type application/http"
            case .headerTooLarge: "has a header of more than \(BatchPartParser.headerByteCountMax) bytes"
            case .badHeader: "has a header line that is not of the form NAME: VALUE"
            case .badRequestLine: "does not begin its request with a method and a URL"
            }
        }
    }

    private var rest: ArraySlice<UInt8>

    private init(_ part: ArraySlice<UInt8>) {
        rest = part
    }

    static func parse(_ part: ArraySlice<UInt8>) throws(Failure) -> BatchCall {
        var parser = Self(part)
        return try parser.call()
    }

    private mutating func call() throws(Failure) -> BatchCall {
        let partHeader = try fields()
        guard partHeader[.contentType]?.lowercased().hasPrefix("application/http") == true else { throw .notHTTP }
        while rest.first == 0x0D || rest.first == 0x0A { rest.removeFirst() }
        guard let line = takeLine() else { throw .badRequestLine }
        var call = try Self.call(requestLine: line)
        call.headers = try fields()
        call.body = body(declaredByteCount: call.headers[.contentLength].flatMap { Int($0) })
        call.contentID = HTTPField.Name("Content-ID").flatMap { partHeader[$0] }
        return call
    }

    /// Reads lines through the empty one, or through the end where there is none.
    private mutating func fields() throws(Failure) -> HTTPFields {
        var fields = HTTPFields()
        let start = rest.startIndex
        while let line = takeLine(), !line.isEmpty {
            guard rest.startIndex - start <= Self.headerByteCountMax else { throw .headerTooLarge }
            fields.append(try Self.field(line))
        }
        return fields
    }

    private static func field(_ line: Substring) throws(Failure) -> HTTPField {
        let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let name = HTTPField.Name(String(sides[0])) else { throw .badHeader }
        let value = String(sides[1].drop { $0 == " " || $0 == "\t" })
        guard HTTPField.isValidValue(value) else { throw .badHeader }
        return HTTPField(name: name, value: value)
    }

    /// Reads `DELETE http://host/storage/v1/b/bkt/o/a HTTP/1.1`; the version may be missing.
    private static func call(requestLine: Substring) throws(Failure) -> BatchCall {
        let words = requestLine.split(separator: " ")
        guard (2...3).contains(words.count), let method = HTTPRequest.Method(String(words[0])),
            words.count == 2 || words[2].hasPrefix("HTTP/1."), let target = target(of: words[1])
        else { throw .badRequestLine }
        return BatchCall(method: method, target: String(target))
    }

    private static func target(of url: Substring) -> Substring? {
        guard url.utf8.count <= headerByteCountMax else { return nil }
        if url.first == "/" { return url }
        guard let scheme = url.firstRange(of: "://"),
            ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
        else { return nil }
        let path = url[scheme.upperBound...].drop { $0 != "/" }
        return path.isEmpty ? nil : path
    }

    /// The body behind the header; white space alone is not a body.
    ///
    /// A length that is declared cuts off the line ends that some clients add. One that is too large is taken for what
    /// it was before the client's multipart writer turned CR LF into LF.
    private func body(declaredByteCount: Int?) -> [UInt8] {
        let body = rest.prefix(max(0, declaredByteCount ?? rest.count))
        return body.allSatisfy { $0 <= 0x20 } ? [] : Array(body)
    }

    /// Reads a line without its end; `nil` when nothing is left.
    private mutating func takeLine() -> Substring? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        var line = rest[rest.startIndex..<end]
        rest = rest[min(end + 1, rest.endIndex)...]
        while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 { line.removeLast() }
        return Substring(decoding: line, as: UTF8.self)
    }
}
