// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Wire

struct RequestFramerTests {
    @Test(
        "cuts where a message may end",
        arguments: [
            (RequestFramer.BodyKind.none, "GET / HTTP/1.1\r\n\r\nGET", [18, 3]),
            (.none, "GET / HTTP/1.1\n\nGET", [16, 3]),
            (.none, "\r\n\r\n\nGET / HTTP/1.1\r\n\r\nGET", [23, 3]),
            (.length(3), "POST / HTTP/1.1\r\n\r\nabcGET / HTTP/1.1\r\n\r\n", [19, 3, 18]),
            (.chunked, "POST / HTTP/1.1\r\n\r\nA;x\r\n0123456789\r\n0\r\n\r\nG", [19, 5, 12, 3, 2, 1]),
            (.chunked, "POST / HTTP/1.1\r\n\r\n0\r\nT: v\r\n\r\nG", [19, 3, 8, 1]),
        ]
    )
    func cuts(body: RequestFramer.BodyKind, text: String, expected: [Int]) {
        var framer = RequestFramer()
        var buffer = ByteBuffer(string: text)
        var lengths: [Int] = []
        while buffer.readableBytes > 0 {
            let length = framer.pieceLength(in: buffer.readableBytesView)
            buffer.moveReaderIndex(forwardBy: length)
            lengths.append(length)
            if lengths.count == 1 { framer.headEnded(body: body) }
        }
        #expect(lengths == expected)
    }

    @Test func `tells the bytes of a body from those around them`() {
        let text = "POST / HTTP/1.1\r\n\r\nA;x\r\n0123456789\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\n\r\n"
        for pieceByteCount in [1, 3, text.utf8.count] {
            var framer = RequestFramer()
            var buffer = ByteBuffer(string: text)
            var head = buffer.readSlice(length: 19) ?? ByteBuffer()
            while head.readableBytes > 0 {
                head.moveReaderIndex(forwardBy: framer.pieceLength(in: head.readableBytesView))
            }
            framer.headEnded(body: .chunked)
            var bodyByteCount = 0
            while buffer.readableBytes > 0 {
                let next = buffer.readableBytesView.prefix(pieceByteCount)
                buffer.moveReaderIndex(forwardBy: framer.pieceLength(in: next))
                bodyByteCount += framer.bodyByteCount
            }
            #expect(bodyByteCount == 10)
        }
    }

    @Test func `finds the end of a head that arrives byte by byte`() {
        var framer = RequestFramer()
        for byte in "GET / HTTP/1.1\r\nA: b\r\n\r\n".utf8 {
            #expect(framer.pieceLength(in: ByteBuffer(bytes: [byte]).readableBytesView) == 1)
        }
        framer.headEnded(body: .length(2))
        #expect(framer.pieceLength(in: ByteBuffer(string: "abGET").readableBytesView) == 2)
    }
}
