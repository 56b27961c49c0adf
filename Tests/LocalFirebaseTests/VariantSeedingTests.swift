// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Foundation
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct VariantSeedingTests {
    private static let variant = SeedVariant(pixelWidth: 40, pixelHeight: 30)

    private func configuration(_ feed: TinyFeed, _ variants: [SeedVariant]) -> EmulatorConfiguration {
        var configuration = feed.configuration
        configuration.storage = .directory(feed.directory.file("data"))
        configuration.seedVariants = variants
        return configuration
    }

    private func generations(_ feed: TinyFeed, _ variants: [SeedVariant]) async throws -> [String: String] {
        try await Emulator(configuration(feed, variants)).runDirectly { servers in
            var generations: [String: String] = [:]
            for name in ["u1/p1/0", "u1/p1/0_40x30", "u2/p2/0_40x30", "u1/p3/0_40x30", "u1/p3/1_40x30"] {
                let target = "/v0/b/\(TinyFeed.address.bucket)/o/" + name.replacingOccurrences(of: "/", with: "%2F")
                let answer = try await servers.answer(.storage, method: "GET", target: target + "?alt=media")
                guard answer.status == 200 else { continue }
                generations[name] = answer.headers["x-goog-generation"]
                guard name.contains("_") else { continue }
                #expect(answer.headers["content-type"] == "image/jpeg")
                #expect(answer.body.count < 5_000 && answer.body.starts(with: [0xFF, 0xD8]))
            }
            return generations
        }
    }

    @Test func `keeps smaller copies beside the thumbnails, which stay as they are`() async throws {
        let (bare, feed) = (try TinyFeed(), try TinyFeed())
        let without = try await generations(bare, [])
        #expect(without.keys.sorted() == ["u1/p1/0"])
        let with = try await generations(feed, [Self.variant])
        #expect(with.keys.sorted() == ["u1/p1/0", "u1/p1/0_40x30", "u1/p3/0_40x30", "u2/p2/0_40x30"])
        #expect(with["u1/p1/0"] == without["u1/p1/0"])
    }

    @Test func `makes them for a data set that is loaded already, and only once`() async throws {
        let feed = try TinyFeed()
        _ = try await generations(feed, [])
        let first = try await generations(feed, [Self.variant])
        #expect(first.count == 4)
        let other = SeedVariant(pixelWidth: 20, pixelHeight: 20)
        #expect(try await generations(feed, [other, Self.variant]) == first)
    }

    @Test func `an image that cannot be decoded is named`() async throws {
        let directory = TemporaryDirectory()
        let gif = try #require(Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=="))
        try directory.write(gif, to: "feed/u1/p1/0.gif")
        var configuration = EmulatorConfiguration()
        configuration.seedPath = directory.file("feed")
        configuration.seedVariants = [Self.variant]
        configuration.requiresSeedVariants = false
        try await Emulator(configuration).runDirectly { _ in }
        configuration.requiresSeedVariants = true
        let emulator = Emulator(configuration)
        let error = await #expect(throws: EmulatorError.self) { try await emulator.runDirectly { _ in } }
        #expect(error?.code == .badData)
        #expect(error?.description.contains("cannot make a smaller copy of u1/p1/0: ") == true, "\(error as Any)")
    }
}
