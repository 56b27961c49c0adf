// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import NIOConcurrencyHelpers
import SuiteFiles
import TestSupport
import Testing
import TinyFeed

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Imports and exports of a whole emulator.
@Suite(.timeLimit(.minutes(5))) struct ExportServingTests {
    private let directory: TemporaryDirectory
    private let events = NIOLockedValueBox<[ExportEvent]>([])

    init() throws {
        directory = TemporaryDirectory()
    }

    private func configuration(importing: String? = nil, exporting: String? = nil) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(now: { TinyFeed.now }, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.temporaryDirectory = directory.path
        configuration.importPath = importing
        configuration.exportPath = exporting
        configuration.exportBound = directory.path
        return configuration
    }

    private func emulator(_ configuration: EmulatorConfiguration) -> Emulator {
        Emulator(configuration, onExport: { event in events.withLockedValue { $0.append(event) } })
    }

    private func told(_ count: Int, _ path: String, isImport: Bool) -> ExportEvent? {
        events.withLockedValue { events in
            events.first { event in
                switch event {
                case .imported(let counts, let from, _): isImport && from == path && counts.objects == count
                case .exported(let counts, let to, _): !isImport && to == path && counts.objects == count
                case .progress, .warning, .notice: false
                }
            }
        }
    }

    /// Sends a request and returns the status and the body.
    private static func ask(
        _ method: String,
        _ url: String,
        _ body: String = "",
        origin: String? = nil
    ) async throws -> (Int, String) {
        var request = URLRequest(url: try #require(URL(string: "http://\(url)")))
        request.httpMethod = method
        if method != "GET" { request.httpBody = Data(body.utf8) }
        if let origin { request.setValue(origin, forHTTPHeaderField: "Origin") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    private static func put(_ text: String, at name: String, _ addresses: EmulatorAddresses) async throws {
        let answer = try await ask("POST", "\(addresses.storage)/v0/b/bkt/o?name=\(name)", text)
        #expect(answer.0 == 200)
    }

    private static func names(_ addresses: EmulatorAddresses) async throws -> String {
        try await ask("GET", "\(addresses.storage)/v0/b/bkt/o").1
    }

    @Test func `what is exported at the end is there at the next start`() async throws {
        let path = directory.file("export")
        try await emulator(configuration(importing: path, exporting: path)).run { addresses in
            try await Self.put("hello", at: "a", addresses)
        }
        #expect(events.withLockedValue { $0.first } == .warning("\(path) does not exist yet: nothing is imported"))
        #expect(told(1, path, isImport: false) != nil)
        let body = try await emulator(configuration(importing: path, exporting: path)).run { addresses in
            try await Self.put("more", at: "b", addresses)
            return try await Self.ask("GET", "\(addresses.storage)/v0/b/bkt/o/a?alt=media").1
        }
        #expect(body == "hello")
        #expect(told(1, path, isImport: true) != nil)
        #expect(told(2, path, isImport: false) != nil)
        #expect(directory.names() == ["export"])
        #expect(
            directory.names(in: "export") == ["firebase-export-metadata.json", "firestore_export", "storage_export"]
        )
    }

    @Test func `serves nothing after a bad import`() async throws {
        let path = directory.file("export")
        try directory.write(Array("{".utf8), to: "export/buckets.json")
        let error = await #expect(throws: EmulatorError.self) {
            try await emulator(configuration(importing: path)).run { _ in }
        }
        #expect(error?.exitCode == 65)
        #expect(error?.description.hasPrefix("cannot import: ") == true)
        #expect(directory.names() == ["export"])
    }

    @Test func `tells of an export that fails at the end`() async throws {
        try directory.write([1], to: "precious/file")
        let error = await #expect(throws: EmulatorError.self) {
            try await emulator(configuration(exporting: directory.file("precious"))).run { _ in }
        }
        #expect(error?.exitCode == 74)
        #expect(error?.description.hasPrefix("cannot export: ") == true)
        #expect(directory.names() == ["precious"])
        #expect(directory.names(in: "precious") == ["file"])
    }

    @Test func `exports when the hub is asked to`() async throws {
        let path = directory.file("export")
        let directory = directory
        try await emulator(configuration()).run { addresses in
            try await Self.put("hello", at: "a", addresses)
            let hub = "\(addresses.console)/_admin/export"
            let answer = try await Self.ask("POST", hub, #"{"path":"\#(path)","targets":["storage","firestore"]}"#)
            #expect(answer.0 == 200)
            #expect(answer.1 == #"{"message":"OK","exported":["firestore","storage"]}"#)
            #expect(directory.names(in: "export/storage_export/blobs").count == 1)
            let refused = try await Self.ask("POST", hub, #"{"path":"\#(path)/storage_export"}"#)
            #expect(refused.0 == 500)
            #expect(refused.1.hasPrefix(#"{"message":"\#(path)/storage_export holds files but no firebase-export"#))
        }
    }

    @Test(arguments: [
        "/tmp/elsewhere", "/", "DIRECTORY/../elsewhere", "DIRECTORY/link/x/y", "DIRECTORYbeside",
    ])
    func `exports nowhere but below the directory that it is confined to`(_ path: String) async throws {
        let path = path.replacingOccurrences(of: "DIRECTORY", with: directory.file("below"))
        var configuration = configuration()
        configuration.exportBound = directory.file("below")
        try FileManager.default.createDirectory(atPath: configuration.exportBound, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: directory.file("below/link"), withDestinationPath: "/tmp")
        try await emulator(configuration).run { addresses in
            for url in ["\(addresses.console)/_admin/export", "\(addresses.storage)/internal/export"] {
                let answer = try await Self.ask("POST", url, #"{"path":"\#(path)"}"#)
                #expect(answer.0 == 500 && answer.1.contains("to which exports are confined"))
            }
        }
    }

    @Test func `exports and resets when the storage port is asked to`() async throws {
        let path = directory.file("storage")
        let directory = directory
        try await emulator(configuration()).run { addresses in
            try await Self.put("hello", at: "a", addresses)
            let url = "\(addresses.storage)/internal/export"
            #expect(try await Self.ask("POST", url, #"{"path":"\#(path)","initiatedBy":"x"}"#) == (200, "OK"))
            #expect(directory.names(in: "storage") == ["blobs", "buckets.json", "metadata"])
            #expect(try await Self.ask("POST", "\(addresses.storage)/internal/reset") == (200, "OK"))
            #expect(try await Self.names(addresses).contains(#""items": []"#))
            #expect(try await Self.ask("POST", url, #"{"path":"\#(path)"}"#) == (200, "OK"))
            #expect(directory.names(in: "storage/blobs").isEmpty)
        }
    }
}
