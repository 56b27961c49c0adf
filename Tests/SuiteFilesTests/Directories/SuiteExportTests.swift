// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import JSON
import TestSupport
import Testing

@testable import SuiteFiles

/// Directories that exports replace, and what they keep of them.
@Suite struct SuiteExportTests {
    private static let manifest = #"{"version":"15.0.0","database":{"version":"4.11.2","path":"database_export"}}"#

    /// A service with one file of its own.
    private struct Note: ExportPart {
        let service = "auth"

        func write(in root: String, _ counts: inout ExportCounts, _ work: TransferWork) throws -> JSONValue {
            try FileTree.createDirectory("\(root)/auth_export")
            try ExportFile.create("\(root)/auth_export/note", holding: "new")
            return ExportManifest.entry(at: "auth_export")
        }
    }

    private let directory = TemporaryDirectory()
    private var path: String { directory.file("export") }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }

    private func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
    }

    @Test func `other services keep their files, with their permissions`() throws {
        try directory.write(Self.manifest.utf8, to: "export/firebase-export-metadata.json")
        try directory.write("kept".utf8, to: "export/database_export/below/rules.json")
        for name in ["export", "export/database_export", "export/database_export/below"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.file(name))
        }
        try SuiteExport([Note()]).write(to: path)
        #expect(try text("export/database_export/below/rules.json") == "kept")
        #expect(try text("export/auth_export/note") == "new")
        for name in ["export", "export/database_export", "export/database_export/below"] {
            #expect(try permissions(name) == 0o755)
        }
        #expect(directory.names() == ["export"])
    }

    @Test func `a file that cannot be kept stops the export, and stays`() throws {
        try directory.write(Self.manifest.utf8, to: "export/firebase-export-metadata.json")
        var name = (Array("\(path)/".utf8) + [0xDC] + Array("bersicht.txt".utf8) + [0]).map(CChar.init(bitPattern:))
        let descriptor = open(&name, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        let error = #expect(throws: ExportError.self) { try SuiteExport([Note()]).write(to: path) }
        #expect(error?.description.contains("cannot be kept") == true)
        #expect(directory.names(in: "export").count == 2)
    }

    @Test(arguments: ["a link", "a file", "other files", "the working directory"])
    func `a directory that cannot be replaced is known before`(_ kind: String) throws {
        var target = path
        try directory.makeFolder("elsewhere")
        switch kind {
        case "a link":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("elsewhere"))
        case "a file": try directory.write([1], to: "export")
        case "other files": try directory.write([1], to: "export/notes.txt")
        default: target = FileManager.default.currentDirectoryPath
        }
        #expect(throws: ExportError.self) { try SuiteExport.requireWritable(target) }
        #expect(throws: ExportError.self) { try SuiteExport([Note()]).write(to: target) }
    }

    @Test func `a directory that can be replaced stays as it is until then`() throws {
        try SuiteExport.requireWritable(path)
        #expect(directory.names().isEmpty)
        try SuiteExport([Note()]).write(to: path)
        try SuiteExport.requireWritable(path)
        #expect(try text("export/auth_export/note") == "new")
        #expect(directory.names() == ["export"])
    }
}
