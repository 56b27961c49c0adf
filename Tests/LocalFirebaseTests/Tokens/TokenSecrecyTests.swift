// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import TestSupport
import Testing
import TinyFeed

import struct FeedDataSet.SeedVariant

/// Tokens on their way through a client, an emulator and two other hosts, over sockets.
@Suite(.timeLimit(.minutes(5))) struct TokenSecrecyTests {
    @Test func `tokens reach the endpoint's hosts alone, and no file, key, message or figure has them`() async throws {
        let feed = try TinyFeed()
        var configuration = feed.configuration
        configuration.requiresSignIn = true
        configuration.seedVariants = [SeedVariant(pixelWidth: 40, pixelHeight: 80)]
        configuration.recordPath = feed.directory.file("session.log")
        try await Emulator(configuration).run { addresses in
            let visit = try PrivateVisit(addresses, directory: feed.directory.url)
            try await visit.load()
            let texts = try await visit.failureTexts()
            let keys = await visit.pipeline.memoryKeys
            #expect(keys.count > 8)
            for text in texts + keys { #expect(SecretTokens.found(in: Data(text.utf8)) == [], "\(text)") }
            visit.expectTokensWhereDue()
            for other in [visit.elsewhere, visit.furtherOn] {
                #expect(!other.heads.isEmpty && SecretTokens.found(in: other.bytes) == [])
            }
            try await Self.expectNoFigure(of: addresses.console)
            // Caches with a download that broke off, the emulator's own data, and both logs.
            try Self.expectNoFile(in: feed.directory.url)
        }
    }

    private static func expectNoFigure(of console: String) async throws {
        let dimensions = ["object", "user", "client", "operation", "query", "status", "outcome", "tag"]
        let paths = ["/usage", "/metrics", "/quota", "/emulators"]
        for path in paths + dimensions.map({ "/usage?by=\($0)" }) {
            let url = try #require(URL(string: "http://\(console)\(path)"))
            let answer = try await URLSessionTransport().send(TransportRequest(method: "GET", url: url))
            #expect(answer.status == 200, "\(path)")
            #expect(try await SecretTokens.found(in: answer.body.collected()) == [], "\(path)")
        }
    }

    private static func expectNoFile(in directory: URL) throws {
        let files = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String] ?? []
        for name in ["caches/", "fmpart", "fmjournal", "views.log", "session.log", "sqlite"] {
            #expect(files.contains { $0.contains(name) }, "\(name) of \(files)")
        }
        for file in files {
            #expect(SecretTokens.found(in: Data(file.utf8)) == [], "\(file)")
            guard let data = try? Data(contentsOf: directory.appending(path: file)) else { continue }
            #expect(SecretTokens.found(in: data) == [], "\(file)")
        }
    }
}
