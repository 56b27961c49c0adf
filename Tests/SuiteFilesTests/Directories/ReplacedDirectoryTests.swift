// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

@testable import SuiteFiles

/// Deaths of the process are played by stopping between two steps.
@Suite struct ReplacedDirectoryTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = FileTree.absolute(directory.file("d"))
        try directory.write(Array("old".utf8), to: "d/file")
    }

    private func begin() throws -> ReplacedDirectory {
        let target = try ReplacedDirectory(path)
        try ExportFile.create("\(target.staging)/file", holding: "new")
        return target
    }

    private var text: String? { try? String(contentsOfFile: "\(path)/file", encoding: .utf8) }

    @Test func `takes the old one's place and leaves nothing beside it`() throws {
        try begin().commit()
        #expect(text == "new")
        #expect(directory.names() == ["d"])
    }

    @Test func `takes a free place`() throws {
        try FileTree.removeTree(path)
        try begin().commit()
        #expect(text == "new")
        #expect(directory.names() == ["d"])
    }

    @Test func `does so in two steps too`() throws {
        try begin().commitInTwoSteps()
        #expect(text == "new")
        try begin().commit()
        #expect(directory.names() == ["d"])
    }

    @Test func `the old one is whole after a death while the new one is written`() throws {
        _ = try begin()
        #expect(text == "old")
        try begin().commit()
        #expect(text == "new")
        #expect(directory.names() == ["d"])
    }

    @Test(arguments: [true, false])
    func `the old one is put back after a death between two steps`(_ isNewWritten: Bool) throws {
        if isNewWritten { _ = try begin() }
        try FileTree.move(path, to: FileTree.absolute(directory.file(".d.firemeter-old")))
        try ReplacedDirectory.recover(path)
        #expect(text == "old")
        try begin().commit()
        #expect(directory.names() == ["d"])
    }

    @Test func `what a death after the exchange left is removed`() throws {
        let staging = try begin().staging
        try FileTree.move(path, to: FileTree.absolute(directory.file(".d.firemeter-old")))
        try FileTree.move(staging, to: path)
        try ReplacedDirectory.recover(path)
        #expect(text == "new")
        try begin().discard()
        #expect(text == "new")
        #expect(directory.names() == ["d"])
    }

    @Test func `links are removed, not followed`() throws {
        try directory.write([1], to: "precious/file")
        let target = try begin()
        try FileManager.default.createSymbolicLink(
            atPath: "\(target.staging)/link",
            withDestinationPath: directory.file("precious")
        )
        target.discard()
        #expect(directory.names(in: "precious") == ["file"])
        #expect(directory.names() == ["d", "precious"])
    }
}
