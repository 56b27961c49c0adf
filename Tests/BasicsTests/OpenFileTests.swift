// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

struct OpenFileTests {
    private typealias File = OpenFile<FileFault>

    private let directory = TemporaryDirectory()
    private let path: String

    init() { path = directory.file("file") }

    private func text(_ file: File) throws -> String {
        var bytes: [UInt8] = []
        let byteCount = try file.readAll(pieceByteCount: 3) { bytes.append(contentsOf: $0) }
        #expect(byteCount == Int64(bytes.count))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a file is created for its owner and opened again`() throws {
        let file = try File(path, .readingAndWriting, [.creating, .exclusively])
        try Array("Hello, ".utf8).withUnsafeBytes { try file.append($0) }
        let again = try #require(try File(ifThere: path, .readingAndWriting, .atEnd))
        #expect(try again.appendOnce(Array("world".utf8)) == 5)
        try file.synchronize()
        #expect(try text(file) == "Hello, world")
        #expect(try file.status().byteCount == 12)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file that is not there is nothing, or a fault`() throws {
        #expect(try File(ifThere: path, .reading) == nil)
        #expect(throws: FileFault(.openForReading, path, number: ENOENT)) { try File(path, .reading) }
        #expect(throws: FileFault(.openForReading, path + "/below", number: ENOTDIR)) {
            try directory.write([], to: "file")
            return try File(ifThere: path + "/below", .reading)
        }
        #expect(throws: FileFault(.openForWriting, path, number: EEXIST)) {
            try File(path, .readingAndWriting, [.creating, .exclusively])
        }
    }

    @Test func `a fault says what was tried, where, and why not`() {
        let fault = FileFault(.move, "/data/a", number: ENOSPC)
        #expect(fault.description == "cannot move a file to /data/a: No space left on device")
        #expect(fault.isDiskFull)
    }

    @Test func `a lock is kept from other open files until it is given back`() throws {
        try directory.write([], to: "file")
        let (first, second) = (try File(path, .reading), try File(path, .reading))
        try first.withLock(.shared) { () throws(FileFault) in
            #expect(try second.tryLock() == false)
            try second.withLock(.shared) { () throws(FileFault) in }
        }
        #expect(try second.tryLock())
        #expect(try first.tryLock() == false)
        second.unlock()
        #expect(try first.tryLock())
    }
}
