// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SessionLog

@Suite(.timeLimit(.minutes(5))) struct RotationTests {
    private static let header = SessionHeader(createdAt: LogTime(microseconds: 0), pageSize: 8)

    private static func view(_ at: Int, client: String = "u1") -> SessionEntry {
        .view(SessionView(atMilliseconds: Int64(at), client: client, action: .relaunch))
    }

    /// Opens a log of small files.
    private static func writer(
        _ file: TemporaryFile,
        byteCountMax: Int64 = 300,
        keeping keptCountMax: Int? = nil
    ) throws -> SessionLogWriter {
        let rotation = SessionLogRotation(byteCountMax: byteCountMax, keptCountMax: keptCountMax)
        return try SessionLogWriter(file.path, header: header, rotation: rotation)
    }

    /// A log of some views, closed.
    private static func log(of viewCount: Int, keeping keptCountMax: Int? = nil) throws -> TemporaryFile {
        let file = try TemporaryFile()
        let writer = try writer(file, keeping: keptCountMax)
        for at in 0..<viewCount { try writer.append(view(at)) }
        writer.close()
        return file
    }

    private static func times(_ file: TemporaryFile) throws -> [Int64] {
        try SessionLog.load(file.path).views.map(\.atMilliseconds)
    }

    @Test func `a full log goes on in another file, and is read as one`() throws {
        let file = try Self.log(of: 20)
        #expect(try file.names() == ["session.log"] + (1...5).map { "session.log.\($0).gz" })
        #expect(try Self.times(file) == Array(0..<20))
        #expect(try SessionLogReader(file.path).header == Self.header)
        #expect(try SessionLog.load(file.path + ".2.gz").views.count == 4)
    }

    @Test func `keeps as many as are asked for`() throws {
        let file = try Self.log(of: 20, keeping: 2)
        #expect(try file.names() == ["session.log", "session.log.4.gz", "session.log.5.gz"])
        #expect(try Self.times(file) == Array(12..<20))
    }

    @Test func `goes on with the number and the header of a former run`() throws {
        let file = try TemporaryFile()
        let first = try Self.writer(file)
        for at in 0..<6 { try first.append(Self.view(at)) }
        first.close()
        try FileManager.default.removeItem(atPath: file.path)
        let rotation = SessionLogRotation(byteCountMax: 300)
        let other = SessionHeader(createdAt: LogTime(microseconds: 9))
        let second = try SessionLogWriter(file.path, header: other, rotation: rotation)
        #expect(second.header == Self.header)
        for at in 6..<10 { try second.append(Self.view(at)) }
        second.close()
        #expect(try file.names() == ["session.log", "session.log.1.gz", "session.log.2.gz"])
        #expect(try Self.times(file) == Array(0..<4) + Array(6..<10))
    }

    @Test func `what a process that died left behind is read, and then tidied up`() throws {
        let file = try TemporaryFile()
        let first = try Self.writer(file)
        for at in 0..<9 { try first.append(Self.view(at)) }
        first.close()
        // As after a kill while the second was being compressed, and the first just was.
        let plain = try GunzippedFile(file.path + ".2.gz").nextChunk(upTo: 1 << 20)
        try Data(plain).write(to: URL(fileURLWithPath: file.path + ".2"))
        try FileManager.default.removeItem(atPath: file.path + ".2.gz")
        try Data("half".utf8).write(to: URL(fileURLWithPath: file.path + ".2.gz.unfinished"))
        let firstPlain = try GunzippedFile(file.path + ".1.gz").nextChunk(upTo: 1 << 20)
        try Data(firstPlain).write(to: URL(fileURLWithPath: file.path + ".1"))
        #expect(try Self.times(file) == Array(0..<9))
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try Self.times(file) == Array(0..<8))
        try Self.writer(file).close()
        #expect(try file.names() == ["session.log", "session.log.1.gz", "session.log.2.gz"])
        #expect(try Self.times(file) == Array(0..<8))
    }

    @Test func `a log that is gzip itself is read`() throws {
        let file = try TemporaryFile()
        let writer = try SessionLogWriter(file.path, header: Self.header)
        try writer.append(Self.view(1))
        let compressed = file.path + "-kept.gz"
        try GunzippedFile.compress(file.path, to: compressed)
        #expect(try SessionLog.load(compressed).views.count == 1)
    }

    @Test(arguments: [("cut off", "it ends too early"), ("damaged", "its bytes are damaged")])
    func `a part whose gzip is broken is an error`(damage: String, reason: String) throws {
        let file = try Self.log(of: 6)
        let url = URL(fileURLWithPath: file.path + ".1.gz")
        var bytes = try Data(contentsOf: url)
        if damage == "cut off" { bytes = bytes.dropLast(9) } else { bytes[bytes.count - 6] ^= 0x55 }
        try bytes.write(to: url)
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load(file.path) }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.description == "cannot decompress \(url.path): \(reason)")
    }

    @Test func `a broken line is told with the file that it is in`() throws {
        let file = try Self.log(of: 6)
        let path = file.path + ".1.gz"
        let text = String(decoding: try GunzippedFile(path).nextChunk(upTo: 1 << 20), as: UTF8.self)
        try FileManager.default.removeItem(atPath: path)
        try Data((text + "broken\n").utf8).write(to: URL(fileURLWithPath: file.path + ".1"))
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load(file.path) }
        #expect(error?.lineNumber == 6)
        #expect(error?.message.hasSuffix("(in \(file.path).1)") == true)
    }

    @Test func `parts of another session are refused`() throws {
        let file = try Self.log(of: 5)
        try FileManager.default.removeItem(atPath: file.path)
        let other = SessionHeader(createdAt: LogTime(microseconds: 9)).encoded()
        try Data(other + [0x0A]).write(to: URL(fileURLWithPath: file.path))
        let error = #expect(throws: SessionLogError.self) { try SessionLog.load(file.path) }
        #expect(error?.description.hasPrefix("line 1: the header of \(file.path) is another session's") == true)
    }

    @Test func `what others have put beside a log stays as it is`() throws {
        let file = try TemporaryFile()
        let others = ["2025": "somebody's notes", "0": "", "01.gz": "", "9223372036854775807": "", "1.bak": ""]
        for (suffix, text) in others { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(file.path).\(suffix)")) }
        let writer = try Self.writer(file, keeping: 1)
        for at in 0..<9 { try writer.append(Self.view(at)) }
        writer.close()
        #expect(writer.rotationFailure == nil)
        let own = ["session.log", "session.log.2027.gz"]
        #expect(Set(try file.names()) == Set(others.keys.map { "session.log.\($0)" } + own))
        #expect(try String(contentsOfFile: file.path + ".2025", encoding: .utf8) == "somebody's notes")
    }

    @Test func `nothing is appended to gzip`() throws {
        let file = try TemporaryFile()
        try SessionLogWriter(file.path, header: Self.header).close()
        try GunzippedFile.compress(file.path, to: file.path + ".gz")
        let error = #expect(throws: SessionLogError.self) {
            try SessionLogWriter(file.path + ".gz", header: Self.header)
        }
        #expect(error?.code == .fileUnwritable)
    }

    @Test func `a latest file without a line is the end`() throws {
        let file = try Self.log(of: 4)
        try Data().write(to: URL(fileURLWithPath: file.path))
        #expect(try Self.times(file) == Array(0..<4))
    }

    @Test func `what a link leads to is set aside, not the link`() throws {
        let (file, linked) = (try TemporaryFile(), try TemporaryFile())
        try Data().write(to: URL(fileURLWithPath: linked.path))
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: linked.path)
        let writer = try Self.writer(file)
        for at in 0..<9 { try writer.append(Self.view(at)) }
        writer.close()
        #expect(try file.names() == ["session.log"])
        #expect(try linked.names() == ["session.log", "session.log.1.gz", "session.log.2.gz"])
        #expect(try Self.times(file) == Array(0..<9))
    }

    @Test func `a log that cannot be set aside goes on as it is`() throws {
        let file = try TemporaryFile()
        let writer = try Self.writer(file)
        // Parts are numbered up to here.
        try Data().write(to: URL(fileURLWithPath: file.path + ".999999999"))
        try FileManager.default.createDirectory(atPath: file.path + ".1000000000", withIntermediateDirectories: false)
        for at in 0..<9 { try writer.append(Self.view(at)) }
        writer.close()
        #expect(writer.rotationFailure?.message.contains(".1000000000") == true)
        try FileManager.default.removeItem(atPath: file.path + ".999999999")
        #expect(try Self.times(file) == Array(0..<9))
    }

    @Test func `a part that is dropped while the log is read is told`() throws {
        let file = try Self.log(of: 9)
        let reader = try SessionLogReader(file.path)
        try FileManager.default.removeItem(atPath: file.path + ".2.gz")
        let error = #expect(throws: SessionLogError.self) { while try reader.next() != nil {} }
        #expect(error?.message.contains("--record-keep") == true)
    }

    @Test func `a pair of lines is written as one`() throws {
        let file = try TemporaryFile()
        let writer = try SessionLogWriter(file.path, header: Self.header)
        let tooLong = Self.view(2, client: String(repeating: "u", count: SessionLog.lineByteCountMax))
        #expect(throws: SessionLogError.self) { try writer.append([Self.view(1), tooLong]) }
        try writer.append([Self.view(3), Self.view(4)])
        #expect(try Self.times(file) == [3, 4])
    }

    @Test func `other writers go on in the new file, and no line is lost`() async throws {
        let file = try TemporaryFile()
        try SessionLogWriter(file.path, header: Self.header).close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, rotates) in [true, false, true, false].enumerated() {
                group.addTask {
                    let writer =
                        rotates
                        ? try Self.writer(file, byteCountMax: 5_000)
                        : try SessionLogWriter(file.path, header: Self.header)
                    for at in 0..<500 { try writer.append(Self.view(at, client: "u\(number)")) }
                    writer.close()
                }
            }
            // A reader meanwhile finds whole lines, none of them twice.
            for _ in 0..<20 {
                let views = try SessionLog.load(file.path).views
                #expect(Set(views).count == views.count)
            }
            try await group.waitForAll()
        }
        let views = try SessionLog.load(file.path).views
        for number in 0..<4 {
            #expect(views.filter { $0.client == "u\(number)" }.map(\.atMilliseconds) == Array(0..<500))
        }
        #expect(try file.names().count > 10)
        #expect(try file.names().allSatisfy { $0 == "session.log" || $0.hasSuffix(".gz") })
    }
}
