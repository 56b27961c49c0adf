// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

struct FileSystemTests {
    private typealias Files = FileSystem<FileFault>

    private let directory = TemporaryDirectory()

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `creates directories for their owner`() throws {
        try Files.createDirectories(directory.file("a/b/c/"))
        #expect(try mode("a") == 0o700)
        #expect(try mode("a/b/c") == 0o700)
        try Files.createDirectories(directory.file("a/b/c"))
    }

    @Test func `says why a directory cannot be`() throws {
        try directory.write([], to: "file")
        for (path, number) in [
            (directory.file("file"), ENOTDIR), (directory.file("file/below"), ENOTDIR), ("", ENOENT),
        ] {
            #expect(throws: FileFault(.create, path, number: number)) { try Files.createDirectories(path) }
        }
    }

    @Test func `tells what is at a path, links followed or not`() throws {
        try directory.write([1, 2, 3], to: "file")
        try directory.makeFolder("folder")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"),
            withDestinationPath: directory.file("file")
        )
        let file = try #require(try Files.status(of: directory.file("file")))
        #expect(file.kind == .regular)
        #expect(file.byteCount == 3)
        #expect(try Files.status(of: directory.file("link"))?.identity == file.identity)
        #expect(try Files.status(of: directory.file("link"), followingLinks: false)?.kind == .link)
        #expect(try Files.status(of: directory.file("folder"))?.kind == .directory)
        #expect(try Files.status(of: directory.file("none")) == nil)
        #expect(try Files.status(of: directory.file("file/below")) == nil)
    }

    @Test func `moves, names twice and removes`() throws {
        try directory.write([1], to: "a")
        #expect(try Files.moveIfThere(directory.file("none"), to: directory.file("b")) == false)
        #expect(throws: FileFault(.move, directory.file("b"), number: ENOENT)) {
            try Files.move(directory.file("none"), to: directory.file("b"))
        }
        try Files.move(directory.file("a"), to: directory.file("b"))
        #expect(try Files.addName(directory.file("c"), to: directory.file("b")))
        #expect(try Files.addName(directory.file("c"), to: directory.file("b")))
        #expect(try Files.names(in: directory.path).sorted() == ["b", "c"])
        try Files.remove(directory.file("b"))
        try Files.remove(directory.file("b"))
        #expect(try Files.names(in: directory.path) == ["c"])
        #expect(try Files.names(in: directory.file("none")) == [])
    }
}
