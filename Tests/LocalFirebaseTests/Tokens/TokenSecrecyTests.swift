// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import TestSupport
import Testing
import TinyFeed

import struct FeedDataSet.SeedVariant
import enum MeterLedger.UsageDimension

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
        let paths = ["/", "/usage", "/usage/kernel", "/metrics", "/quota", "/emulators"]
        for path in paths + UsageDimension.allCases.map({ "/usage?by=\($0.rawValue)" }) {
            let data = try await answer(console, path).collected()
            #expect(SecretTokens.found(in: data) == [], "\(path)")
            guard path.hasPrefix("/usage?") else { continue }
            // Of the events, which never end, the first: what there is now.
            let events = "/usage/events\(path.dropFirst("/usage".count))"
            let first = try #require(await answer(console, events).first { _ in true })
            #expect(first.count > 100 && SecretTokens.found(in: first) == [], "\(events)")
        }
    }

    private static func answer(_ console: String, _ path: String) async throws -> TransportBody {
        let url = try #require(URL(string: "http://\(console)\(path)"))
        let answer = try await URLSessionTransport().send(TransportRequest(method: "GET", url: url))
        #expect(answer.status == 200, "\(path)")
        return answer.body
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
