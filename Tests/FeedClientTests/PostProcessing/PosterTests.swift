// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(5))) struct PosterTests {
    private static func jpeg(_ color: RGBColor) throws -> Data {
        let pixels = PixelBuffer(
            width: 40,
            height: 30,
            bytes: (0..<1_200).flatMap { _ in [color.red, color.green, color.blue] }
        )
        return Data(try JPEGEncoder.encode(pixels, quality: 95))
    }

    /// Images of two colors, one that is not there, one that a JPEG's header alone is left of, and one of another kind.
    private static let names = ["red", "gone", "cut", "text", "blue"]
    private let references = names.map { reference($0) }

    private func makePipeline() throws -> ImagePipeline {
        let red = try Self.jpeg(RGBColor(red: 200, green: 16, blue: 24))
        let objects = FakeObjects([
            "o/red/0": .init(data: red),
            "o/cut/0": .init(data: red.prefix(200)),
            "o/text/0": .init(data: Data("not an image".utf8)),
            "o/blue/0": .init(data: try Self.jpeg(RGBColor(red: 16, green: 40, blue: 200))),
        ])
        return try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: objects)
    }

    @Test func `keeps the order, and a poster without a color keeps its image and the reason`() async throws {
        let posters = try await makePipeline().posters(for: references)
        try #require(posters.map(\.reference) == [0, 2, 3, 4].map { references[$0] })
        let colors = posters.map(\.dominantColor)
        #expect(try colors[0].get().red > 190 && colors[3].get().blue > 190)
        #expect(try posters[0].backgroundColor == colors[0].get().background)
        for (poster, code) in zip(posters[1...2], [ImagingError.Code.truncated, .unknownFormat]) {
            let error = #expect(throws: ImagingError.self) { try poster.dominantColor.get() }
            #expect(error?.code == code)
            #expect(!poster.data.isEmpty && poster.backgroundColor == nil)
        }
    }

    @Test func `has a result for each reference, with the reason of an image that failed`() async throws {
        let results = try await makePipeline().posterResults(for: references)
        try #require(results.count == references.count)
        for (result, reference) in zip(results, references) where reference != references[1] {
            #expect(try result.get().reference == reference)
        }
        let error = #expect(throws: FeedError.self) { try results[1].get() }
        #expect(error?.code == .serverRefused && error?.status == 404)
    }
}
