// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bytes moved in one direction of one request.
public struct TransferredBytes: Sendable, Hashable, Codable {
    /// Bytes that are not body: start line, header fields, and the framing of a chunked body.
    public var header: Int64
    /// Body bytes as the peer sees them, before any decompression.
    public var body: Int64
    /// Bytes on the socket, which for HTTP/1.1 are exactly `header + body`.
    public var wire: Int64

    /// No bytes.
    public static let zero = Self(header: 0, body: 0, wire: 0)

    /// Creates a count of bytes.
    public init(header: Int64, body: Int64, wire: Int64) {
        self.header = header
        self.body = body
        self.wire = wire
    }

    /// Adds two counts.
    public static func + (left: Self, right: Self) -> Self {
        Self(header: left.header + right.header, body: left.body + right.body, wire: left.wire + right.wire)
    }

    /// Subtracts a count.
    package static func - (left: Self, right: Self) -> Self {
        Self(header: left.header - right.header, body: left.body - right.body, wire: left.wire - right.wire)
    }

    /// Adds a count to itself several times.
    public static func * (bytes: Self, count: Int64) -> Self {
        Self(header: bytes.header * count, body: bytes.body * count, wire: bytes.wire * count)
    }
}
