// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionLogWriterTests {
    private let header = SessionHeader(createdAt: LogTime(microseconds: 0), pageSize: 8)
    private let headerLine =
        #"{"type":"header","schema":"firemeter.session/1","createdAt":"1970-01-01T00:00:00Z","pageSize":8}"#

    private let viewLine = #"{"type":"view","at":5,"client":"u1","view":"relaunch"}"#

    private func view(_ at: Int64, client: String = "u1") -> SessionEntry {
        .view(SessionView(atMilliseconds: at, client: client, action: .relaunch))
    }

    @Test func `begins a new file with the header`() throws {
        let file = try TemporaryFile()
        let writer = try SessionLogWriter(file.path, header: header)
        try writer.append(view(5))
        writer.close()
        #expect(try file.text() == headerLine + "\n" + viewLine + "\n")
    }

    @Test func `keeps the header that is there`() throws {
        let file = try TemporaryFile()
        _ = try SessionLogWriter(file.path, header: header)
        let second = try SessionLogWriter(file.path, header: SessionHeader(createdAt: LogTime(microseconds: 9)))
        #expect(second.header == header)
        #expect(try file.text() == headerLine + "\n")
    }

    @Test func `refuses to append to a file that is no session log`() throws {
        let file = try TemporaryFile("precious\n")
        let error = #expect(throws: SessionLogError.self) { try SessionLogWriter(file.path, header: header) }
        #expect(error?.code == .lineBroken)
        #expect(try file.text() == "precious\n")
    }

    @Test func `does not continue a line that another writer left torn`() throws {
        let file = try TemporaryFile(headerLine + "\n" + #"{"type":"vie"#)
        try SessionLogWriter(file.path, header: header).append(view(5))
        #expect(try SessionLog.load(file.path).views.map(\.atMilliseconds) == [5])
        #expect(try file.text().hasSuffix("\n" + viewLine + "\n"))
    }

    @Test func `refuses a line that no reader would take`() throws {
        let file = try TemporaryFile()
        let writer = try SessionLogWriter(file.path, header: header)
        let client = String(repeating: "u", count: SessionLog.lineByteCountMax)
        let error = #expect(throws: SessionLogError.self) { try writer.append(view(1, client: client)) }
        #expect(error?.code == .lineTooLong)
        try writer.append(view(2))
        #expect(try SessionLog.load(file.path).views.count == 1)
    }

    @Test func `refuses to append after closing`() throws {
        let file = try TemporaryFile()
        let writer = try SessionLogWriter(file.path, header: header)
        writer.close()
        writer.close()
        let error = #expect(throws: SessionLogError.self) { try writer.append(view(1)) }
        #expect(error?.code == .writerClosed)
    }

    @Test func `says that a file cannot be made`() {
        let error = #expect(throws: SessionLogError.self) { try SessionLogWriter("/nowhere/a.log", header: header) }
        #expect(error?.code == .fileUnwritable)
    }

    @Test func `lets two writers append to one file at once, each from several threads`() async throws {
        let file = try TemporaryFile()
        let clients = ["emulator", "app", "emulator", "app"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            let writers = ["emulator": try openWriter(file), "app": try openWriter(file)]
            for (thread, client) in clients.enumerated() {
                let writer = try #require(writers[client])
                group.addTask {
                    for at in 0..<500 { try writer.append(view(Int64(at), client: "\(client)\(thread)")) }
                }
            }
            try await group.waitForAll()
        }
        let log = try SessionLog.load(file.path)
        #expect(log.views.count == 2_000)
        for (thread, client) in clients.enumerated() {
            let times = log.views.filter { $0.client == "\(client)\(thread)" }.map(\.atMilliseconds)
            #expect(times == Array(0..<500))
        }
    }

    @Test func `writes one header however many writers open a new file at once`() async throws {
        for _ in 0..<100 {
            let file = try TemporaryFile()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<4 {
                    group.addTask { try openWriter(file).append(view(1, client: "u\(client)")) }
                }
                try await group.waitForAll()
            }
            #expect(try SessionLog.load(file.path).views.count == 4)
        }
    }

    private func openWriter(_ file: TemporaryFile) throws -> SessionLogWriter {
        try SessionLogWriter(file.path, header: header)
    }
}
