// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import FirestoreServer

struct ChannelTests {
    private static func message(_ number: Int, _ text: String = "") -> ChannelInbox.Message {
        ChannelInbox.Message(number: number, json: Array((text.isEmpty ? "m\(number)" : text).utf8))
    }

    private static func texts(_ messages: [[UInt8]]) -> [String] {
        messages.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (requests: [[0], [1, 2], [3]], taken: [["m0"], ["m1", "m2"], ["m3"]]),
        (requests: [[0, 1], [0, 1], [1, 2]], taken: [["m0", "m1"], [], ["m2"]]),
        (requests: [[2], [1], [0]], taken: [[], [], ["m0", "m1", "m2"]]),
        (requests: [[], [0]], taken: [[], ["m0"]]),
    ]
    )
    func `messages are taken once, in their order`(requests: [[Int]], taken: [[String]]) throws {
        var inbox = ChannelInbox()
        let found = try requests.map { numbers in Self.texts(try inbox.take(numbers.map { Self.message($0) })) }
        #expect(found == taken)
    }

    @Test func `messages do not wait in any number for one that is missing`() throws {
        var inbox = ChannelInbox()
        for number in 1...ChannelLimits.messageCountMax { _ = try inbox.take([Self.message(number)]) }
        #expect(throws: CallError.self) { _ = try inbox.take([Self.message(5_000)]) }
        var large = ChannelInbox()
        let text = String(repeating: "x", count: ChannelLimits.parkedByteCountMax / 2 + 1)
        _ = try large.take([Self.message(1, text)])
        #expect(throws: CallError.self) { _ = try large.take([Self.message(2, text)]) }
    }

    private static func chunk(_ outbox: inout ChannelOutbox) -> String? {
        outbox.nextChunk().map { String(buffer: $0.bytes) }
    }

    @Test func `answers are sent again until they are acknowledged`() {
        var outbox = ChannelOutbox()
        #expect(Self.chunk(&outbox) == nil)
        outbox.append(Array("1".utf8))
        outbox.append(Array("2".utf8))
        #expect(Self.chunk(&outbox) == "17\n[[1,[1]],[2,[2]]]")
        #expect(Self.chunk(&outbox) == nil)
        outbox.append(Array("3".utf8))
        let first = outbox.acknowledge(through: 1)
        outbox.rewind()
        #expect(Self.chunk(&outbox) == "17\n[[2,[2]],[3,[3]]]")
        let last = outbox.acknowledge(through: 3)
        #expect(outbox.count == 0 && outbox.byteCount == 0 && outbox.isSent)
        // As a request does that was overtaken by a later one.
        let former = outbox.acknowledge(through: 2)
        let unsent = outbox.acknowledge(through: 4)
        #expect((first, last, former, unsent) == (true, true, true, false))
        outbox.rewind()
        #expect(Self.chunk(&outbox) == nil)
    }

    @Test(arguments: [("a", 11), ("ä", 11), ("€", 11), ("😀", 12)])
    func `a chunk's length is in UTF-16 code units`(of text: String, isUnits: Int) {
        var outbox = ChannelOutbox()
        outbox.append(Array("\"\(text)\"".utf8))
        #expect(Self.chunk(&outbox) == "\(isUnits)\n[[1,[\"\(text)\"]]]")
    }

    @Test func `a chunk ends where it is long enough, and costs are filed once`() {
        var outbox = ChannelOutbox()
        let answer = [UInt8](repeating: UInt8(ascii: "1"), count: ChannelLimits.chunkByteCountMax)
        let usage = CallUsage(call: "listen")
        outbox.append(answer, usages: [usage])
        outbox.append(Array("2".utf8), usages: [usage, usage])
        let (first, second) = (outbox.nextChunk(), outbox.nextChunk())
        #expect(first?.byteCount ?? 0 > answer.count)
        #expect(first?.usages?.count == 1)
        #expect(second?.usages?.count == 2)
        outbox.rewind()
        let again = outbox.nextChunk()
        #expect(again?.usages?.isEmpty == true)
        let rest = outbox.takeUsages()
        #expect(rest.isEmpty)
    }

    @Test(arguments: [
        ("count=1&ofs=0&req0___data__=%7B%7D", ["0 {}"]),
        ("count=2&ofs=7&req0___data__=a+b&req2___data__=%2B", ["7 a b", "9 +"]),
        ("req3___data__=late&ofs=4", ["7 late"]),
        ("count=0", []), ("", []), ("count=1&ofs=0&req0_type=_badmap&x=y", []),
    ]
    )
    func `a page's form is read`(text: String, messages: [String]) throws {
        let body = try ChannelBody(text.utf8)
        #expect(body.messages.map { "\($0.number) \(String(decoding: $0.json, as: UTF8.self))" } == messages)
    }

    @Test func `header fields of a session are in the form that opens it`() throws {
        let body = try ChannelBody(
            "headers=Authorization%3ABearer%20owner%0D%0AContent-Type%3A%20text%2Fplain%0D%0A&count=0".utf8
        )
        #expect(body.headers == ["authorization": "Bearer owner", "content-type": "text/plain"])
    }

    @Test(arguments: ["ofs=-1", "ofs=x", "ofs=99999999999", "req0___data__=%", "req0___data__=%zz", "count"])
    func `a form that no page sends is refused`(text: String) {
        #expect(throws: CallError.self) { try ChannelBody(text.utf8) }
    }

    @Test func `a form has no more messages than a page sends`() throws {
        let form = (0...ChannelLimits.messageCountMax).map { "req\($0)___data__=1" }.joined(separator: "&")
        #expect(throws: CallError.self) { try ChannelBody(form.utf8) }
    }
}
