// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct PlaceholderTests {
    private func configuration(_ placeholders: [PlaceholderObject], in feed: TinyFeed) -> EmulatorConfiguration {
        var configuration = feed.configuration
        configuration.seedPath = nil
        configuration.placeholders = placeholders
        return configuration
    }

    @Test(arguments: [0, 1, 65_536, 200_001]) func `an object has the size that was asked for`(
        _ byteCount: Int64
    ) async throws {
        let feed = try TinyFeed()
        let placeholder = PlaceholderObject(bucket: "b-1", name: "ä/1 2.jpg", byteCount: byteCount)
        try await Emulator(configuration([placeholder], in: feed)).runDirectly { servers in
            let answer = try await servers.answer(
                .storage,
                method: "GET",
                target: "/v0/b/b-1/o/%C3%A4%2F1%202.jpg?alt=media"
            )
            #expect(answer.status == 200)
            #expect(answer.body.count == Int(byteCount))
        }
    }

    @Test(arguments: [("UPPER", "a", "'UPPER' is no bucket name"), ("b-1", "", "'' is no object name")])
    func `a name that no object can have is refused`(_ bucket: String, _ name: String, _ reason: String) async throws {
        let feed = try TinyFeed()
        let placeholder = PlaceholderObject(bucket: bucket, name: name, byteCount: 1)
        let error = await #expect(throws: EmulatorError.self) {
            try await Emulator(configuration([placeholder], in: feed)).runDirectly { _ in }
        }
        #expect(error?.exitCode == 65)
        #expect(error?.description.contains(reason) == true)
    }

    /// The downloads that the usage of an emulator counts, with another one.
    private func downloadCount(_ configuration: EmulatorConfiguration) async throws -> Int64 {
        try await Emulator(configuration).run { addresses in
            let object = "v0/b/\(TinyFeed.address.bucket)/o/u1%2Fp1%2F0?alt=media"
            _ = try Data(contentsOf: try #require(URL(string: "http://\(addresses.storage)/\(object)")))
            let answer = try Data(contentsOf: try #require(URL(string: "http://\(addresses.console)/usage")))
            return try JSONDecoder().decode(Usage.self, from: answer).requests
        }
    }

    private struct Usage: Decodable {
        let requests: Int64
    }

    @Test func `usage that is not kept leaves a data directory's as it was`() async throws {
        let feed = try TinyFeed()
        var configuration = feed.configuration
        configuration.storage = .directory(feed.directory.file("data"))
        #expect(try await downloadCount(configuration) == 1)
        configuration.keepsUsage = false
        for _ in 0..<2 { #expect(try await downloadCount(configuration) == 1) }
        configuration.keepsUsage = true
        #expect(try await downloadCount(configuration) == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: feed.directory.path)
        #expect(!left.contains { $0.hasPrefix("firemeter-ephemeral-") })
    }
}
