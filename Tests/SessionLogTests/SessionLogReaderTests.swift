// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

struct SessionLogReaderTests {
    private static let header =
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"2026-11-21T00:00:00Z"}"#
    private static let view = #"{"type":"view","at":1,"client":"u1","view":"relaunch"}"#
    private static let request =
        #"{"type":"request","at":1,"operation":"o","service":"storage","method":"GET","status":200,"#
        + #""received":{"header":1,"body":2,"wire":3},"sent":{"header":1,"body":2,"wire":3},"#
        + #""outcome":"complete","durationMicroseconds":5}"#

    @Test(
        arguments: [
            "\(header)\n\(view)\n\(request)\n{\"type\":\"x\"}\n\(view)\n",
            "\(header)\r\n\(view)\r\n\(request)\r\n{\"type\":\"x\"}\r\n\(view)\r\n",
            "\n\(header)\n\n\(view)\n\(request)\n{\"type\":\"x\"}\n\r\n\(view)",
        ]
    )
    func `loads the views and counts the rest`(text: String) throws {
        let file = try TemporaryFile(text)
        let log = try SessionLog.load(file.path)
        #expect(log.header.createdAt.microseconds == 1_795_219_200_000_000)
        #expect(log.views.map(\.action) == [.relaunch, .relaunch])
        #expect(log.requestCount == 1)
        #expect(log.skippedLineCount == 1)
    }

    @Test func `returns views and requests in the order of the file`() throws {
        let file = try TemporaryFile("\(Self.header)\n\(Self.request)\n{\"type\":\"x\"}\n\(Self.view)")
        let reader = try SessionLogReader(file.path)
        #expect(reader.lineNumber == 1)
        guard case .request? = try reader.next() else { throw Unexpected() }
        #expect(reader.skippedLineCount == 0)
        guard case .view? = try reader.next() else { throw Unexpected() }
        #expect(reader.skippedLineCount == 1)
        #expect(reader.lineNumber == 4)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    private struct Unexpected: Error {}

    @Test(
        arguments: [
            ("", SessionLogError.Code.empty, nil), ("\n\r\n", .empty, nil), (view, .headerMissing, 1),
            ("{\"type\":\"x\"}\n\(header)", .headerMissing, 1), ("PK\u{3}\u{4}", .lineBroken, 1),
            ("{\"type\":\"header\",\"schema\":\"firemeter.session/9\"}\n", .schemaUnsupported, 1),
            ("\(header)\n\(view)\n{\"type\":\"view\"}\n\(view)", .lineBroken, 3),
            ("\(header)\n\n\r\n\(view)}\n", .lineBroken, 4), ("\(header)\n\(view.dropFirst(3))\n", .lineBroken, 2),
            ("\(header)\n[{\"type\":\"view\"", .lineBroken, 2), ("\(header)\n\(header)\n", .lineBroken, 2),
        ]
    )
    func `names the line that is wrong`(text: String, code: SessionLogError.Code, lineNumber: Int?) throws {
        let file = try TemporaryFile(text)
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load(file.path) }
        #expect(error?.code == code)
        #expect(error?.lineNumber == lineNumber)
    }

    @Test(arguments: ["", "\n", "\n\(view)\n\(view)"]) func `passes over a line that was cut off, and says so`(
        rest: String
    ) throws {
        let line = #"{"type":"x","a":[true,null,-1.5e3,"ä\u00e9\\"],"b":{"c":false}}"#
        for byteCount in 1..<line.utf8.count {
            var text = Array("\(Self.header)\n\(Self.view)\n".utf8)
            text += line.utf8.prefix(byteCount)
            text += rest.utf8
            let file = try TemporaryFile(text)
            let reader = try SessionLogReader(file.path)
            var count = 0
            while try reader.next() != nil { count += 1 }
            #expect(count == (rest.count > 1 ? 3 : 1))
            #expect(reader.cutOffLineCount == 1, "after \(byteCount) bytes")
        }
    }

    @Test func `says that a file is not there`() {
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load("/nowhere/session.log") }
        #expect(error?.code == .fileMissing)
        #expect(error?.message == "cannot read /nowhere/session.log: No such file or directory")
    }

    @Test(arguments: ["", "\n", "\r\n", "\n\(view)"])
    func `takes lines up to the limit and not beyond`(ending: String) throws {
        let fitting = try TemporaryFile("\(Self.header)\n\(Self.paddedLine(SessionLog.lineByteCountMax - 1))\(ending)")
        #expect(try SessionLog.load(fitting.path).skippedLineCount == 1)

        let tooLong = try TemporaryFile("\(Self.header)\n\(Self.paddedLine(SessionLog.lineByteCountMax + 1))\(ending)")
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load(tooLong.path) }
        #expect(error?.code == .lineTooLong)
        #expect(error?.lineNumber == 2)
    }

    private static func paddedLine(_ byteCount: Int) -> String {
        let frame = #"{"type":"x","pad":""}"#
        return frame.dropLast(2) + String(repeating: "p", count: byteCount - frame.utf8.count) + "\"}"
    }

    @Test func `reads lines across the bounds of its buffer`() throws {
        let lines = (0..<3_000).map { #"{"type":"view","at":\#($0),"client":"u\#($0 * 7_919)","view":"relaunch"}"# }
        let file = try TemporaryFile("\(Self.header)\n" + lines.joined(separator: "\n"))
        let log = try SessionLog.load(file.path)
        #expect(log.views.map(\.atMilliseconds) == Array(0..<3_000))
        #expect(log.views.map(\.client) == (0..<3_000).map { "u\($0 * 7_919)" })
    }
}
