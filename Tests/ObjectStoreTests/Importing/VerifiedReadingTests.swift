// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct VerifiedReadingTests {
    @Test func `hands out the bytes and tells the MD5 of composed objects too`() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteObjectStore.make(directory)
        try store.put([1], at: .named("x"))
        let part = try ObjectComponent(name: #require(ObjectName("x")))
        _ = try store.compose([part, part], into: .named("xx"))
        let reader = try #require(try store.open(.named("xx")))
        var bytes: [UInt8] = []
        let digest = try reader.readVerified { bytes.append(contentsOf: $0) }
        #expect(bytes == [1, 1])
        #expect(reader.metadata.digest.md5 == nil)
        #expect(try digest == store.put([1, 1], at: .named("y")).digest)
    }

    @Test(arguments: [[UInt8]([2, 1]), [1], [1, 2, 3]])
    func `tells bytes that have changed on disk`(_ altered: [UInt8]) throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteObjectStore.make(directory)
        try store.put([1, 2], at: .named("x"))
        let file = try #require(try directory.dataFiles().first)
        let reader = try #require(try store.open(.named("x")))
        let handle = try #require(FileHandle(forWritingAtPath: "\(directory.path)/\(file)"))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: altered)
        #expect(try errorCode { _ = try reader.readVerified { _ in } } == .corrupt)
    }
}
