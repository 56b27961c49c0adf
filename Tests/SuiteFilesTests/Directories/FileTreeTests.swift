// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

@testable import SuiteFiles

@Suite struct `Paths and small files` {
    @Test(
        arguments: [
            ("a", "/d", "/d/a"), ("a/../b/./c/", "/d", "/d/b/c"), ("/a//b", "/d", "/a/b"), ("..", "/d/e", "/d"),
            ("../../..", "/d", "/"), ("", "/d/", "/d"), ("/", "/d", "/"), (".hidden", "/", "/.hidden"),
        ]
    )
    func `absolute paths are found without the disk`(path: String, directory: String, expected: String) {
        #expect(FileTree.absolute(path, from: directory) == expected)
    }

    @Test func `a path begins in the working directory`() {
        #expect(FileTree.absolute("a") == FileTree.absolute("a", from: FileManager.default.currentDirectoryPath))
        #expect(FileTree.absolute("/a/.") == "/a")
    }

    @Test(arguments: ["", "/a", "a/", "a//b", "./a", "a/..", "..", "a\0b"])
    func `a path that may lead elsewhere has no steps within`(path: String) {
        #expect(FileTree.steps(within: path) == nil)
    }

    @Test func `other paths have steps`() { #expect(FileTree.steps(within: "a/..b/c") == ["a", "..b", "c"]) }

    @Test(arguments: [0, 1, 200_000])
    func `a small file is read up to its limit`(byteCount: Int) throws {
        let directory = TemporaryDirectory()
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        try directory.write(bytes, to: "file")
        let file = try ExportFile.reading(directory.file("file"))
        #expect(try file.bytes(upTo: byteCount) == bytes)
        #expect(try file.bytes(upTo: byteCount - 1) == (byteCount == 0 ? bytes : nil))
    }
}
