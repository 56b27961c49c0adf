// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import NIOHPACK
import Testing

@testable import GRPCTransport

struct CodingTests {
    @Test(
        arguments: [
            ("1H", .seconds(3_600)), ("2M", .seconds(120)), ("10S", .seconds(10)), ("250m", .milliseconds(250)),
            ("7u", .microseconds(7)), ("99999999n", .nanoseconds(99_999_999)), ("0S", .zero), ("123456789S", nil),
            ("S", nil), ("", nil), ("1", nil), ("-1S", nil), ("1s", nil), ("1.5S", nil), ("1 S", nil),
        ] as [(String, Duration?)]
    )
    func `reads timeouts`(text: String, duration: Duration?) {
        #expect(TimeoutCoding.decode(text) == duration)
    }

    @Test(
        arguments: [
            ("", ""), ("plain text", "plain text"), ("100%", "100%25"), ("ü\n☃", "%C3%BC%0A%E2%98%83"),
            ("\u{7F}~", "%7F~"),
        ]
    )
    func `escapes status messages`(message: String, encoded: String) {
        #expect(StatusMessageCoding.encode(message) == encoded)
    }

    @Test(
        arguments: [
            (0, "abc", "abc"), (20, "a", String(repeating: "a", count: 20)), (21, "a", "aaaaaaaaaaaaa...aaaa"),
            // No escape and no character is cut: each takes 3, 6 or 9 bytes.
            (9, "%", "%25%25%25%25...%25"), (9, "ü", "%C3%BC%C3%BC..."), (3, "☃", "%E2%98%83..."),
            (2, "☃", "%E2%98%83%E2%98%83"),
        ]
    )
    func `cuts a long status message in its middle`(count: Int, unit: String, encoded: String) {
        let message = count == 0 ? unit : String(repeating: unit, count: count)
        #expect(StatusMessageCoding.encode(message, byteCountMax: 20) == encoded)
    }

    @Test(arguments: [(1_000, true), (8_000, false)])
    func `leaves out details that no client would read`(detailByteCount: Int, areSent: Bool) {
        let details = [UInt8](repeating: 0, count: detailByteCount)
        let status = Status(code: .notFound, message: String(repeating: "ü", count: 100_000))
        let headers = ResponseHeaders.trailers(
            status,
            metadata: ["grpc-status-details-bin": .binary(details), "x-why": "gone"]
        )
        #expect(headers.contains(name: "grpc-status-details-bin") == areSent)
        #expect(headers.first(name: "x-why") == "gone")
        #expect(headers.first(name: "grpc-message").map { (4_000...4_096).contains($0.utf8.count) } == true)
    }

    @Test(
        arguments: [("AAH+", [0, 1, 254]), ("AAE=", [0, 1]), ("AAE", [0, 1]), ("", []), ("?", nil)]
            as [(String, [UInt8]?)]
    )
    func `reads bytes with and without padding`(text: String, bytes: [UInt8]?) {
        #expect(MetadataCoding.decode(text[...]) == bytes)
    }

    @Test func `splits fields of bytes that were joined, and leaves out the protocols' own`() {
        let metadata = MetadataCoding.metadata(in: [":path": "/s/m", "te": "trailers", "a-bin": "AAE, AAH+,?"])
        #expect(metadata.map(\.value) == [.binary([0, 1]), .binary([0, 1, 254]), .string("?")])
    }

    @Test(
        arguments: [
            ("identity,deflate,gzip", true), ("identity, gzip", true), ("gzip", true), ("deflate", false), ("", false),
            ("gzipped", false),
        ]
    )
    func `knows which encodings a client accepts`(list: String, isAccepted: Bool) {
        #expect(MessageEncoding.gzip.isAccepted(by: list) == isAccepted)
    }

    @Test func `maps every status to HTTP`() {
        let statuses = (0...16).compactMap { Status.Code(rawValue: $0)?.httpStatus }
        #expect(statuses == [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401])
    }
}
