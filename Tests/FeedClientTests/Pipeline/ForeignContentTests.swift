// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

/// A network that wants a login answers every request with 200 and a page.
@Suite(.timeLimit(.minutes(5))) struct ForeignContentTests {
    private static let page = Data("\r\n <!DOCTYPE html><title>Welcome to the hotel</title>".utf8)
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10]) + picture(90)

    private func objects(_ data: Data, type: String?) -> FakeObjects {
        FakeObjects(["o/f/0": object(data, type: type)])
    }

    private func object(_ data: Data, type: String?) -> FakeObjects.Object {
        FakeObjects.Object(data: data, headers: type.map { ["Content-Type": $0] } ?? [:])
    }

    private func pipeline(_ objects: FakeObjects, disk: TemporaryDirectory? = nil) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(disk: disk.map { .init(directory: $0.url) }),
            environment: TestWorld().environment
        )
    }

    @Test(arguments: [
        (page, "text/html; charset=utf-8"), (page, "application/octet-stream"), (page, nil), (page, "image/jpeg"),
        (Data(#"{"error":"login"}"#.utf8), "application/json"), (Data("Please log in.".utf8), "Text/Plain"),
    ])
    func `is no image, and is asked for again`(_ data: Data, _ type: String?) async throws {
        let objects = objects(data, type: type)
        let pipeline = try pipeline(objects)
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("f")) }
        #expect(error?.code == .notAnImage)
        #expect(error?.message.hasPrefix("o/f/0: no image came, but ") == true)
        #expect(objects.requests.count == 3)
        #expect(pipeline.ledger.totals[.failed, default: 0] == 3 * data.count)
    }

    @Test(arguments: [
        (jpeg, "text/html"), (jpeg, nil), (picture(500), "application/octet-stream"), (Data(), nil),
        (Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), "image/svg+xml"),
        (Data("P3 1 1 255 0 0 0".utf8), nil),
    ])
    func `whatever may be an image is one`(_ data: Data, _ type: String?) async throws {
        let pipeline = try pipeline(objects(data, type: type))
        #expect(try await pipeline.image(for: reference("f")) == data)
    }

    @Test func `nothing of it stays in a cache`() async throws {
        let directory = TemporaryDirectory()
        let objects = objects(Self.page, type: "text/html")
        let pipeline = try pipeline(objects, disk: directory)
        for generation in [nil, 1] as [Int64?] {
            let image = reference("f", generation: generation)
            _ = try? await pipeline.image(for: image)
            objects.put(object(Self.jpeg, type: "image/jpeg"), at: "o/f/0")
            #expect(try await pipeline.image(for: image) == Self.jpeg)
            objects.put(object(Self.page, type: "text/html"), at: "o/f/0")
        }
        let files = try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
        #expect(try files.allSatisfy { try Data(contentsOf: $0).range(of: Data("hotel".utf8)) == nil })
    }

    @Test func `an image that is known is shown in its place`() async throws {
        let objects = objects(Self.jpeg, type: "image/jpeg")
        let pipeline = try pipeline(objects)
        _ = try await pipeline.image(for: reference("f", generation: nil))
        objects.put(object(Self.page, type: "text/html"), at: "o/f/0")
        #expect(try await pipeline.image(for: reference("f", generation: nil)) == Self.jpeg)
    }
}
