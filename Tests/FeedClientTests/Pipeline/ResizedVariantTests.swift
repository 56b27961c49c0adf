// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

/// Smaller copies bear the generation of their originals.
@Suite(.timeLimit(.minutes(5))) struct ResizedVariantTests {
    private static let variant = ResizedVariant(pixelWidth: 200, pixelHeight: 100)
    private let directory = TemporaryDirectory()

    @Test(
        arguments: [
            ("u/f/0", "u/f/0_200x100"), ("u/f/0.jpg", "u/f/0_200x100.jpg"), ("u.v/f/0", "u.v/f/0_200x100"),
            ("0", "0_200x100"), ("a.b.png", "a.b_200x100.png"),
        ]
    )
    func `is named as Resize Images names it`(_ original: String, _ copy: String) {
        let reference = ImageReference(.object(bucket: "b", name: original), generation: 7, token: "t", byteCount: 9)
        let resized = reference.resized(to: Self.variant)
        #expect(resized.location == .object(bucket: "b", name: copy))
        #expect((resized.generation, resized.token, resized.byteCount) == (7, nil, nil))
    }

    @Test(arguments: [(333, 500, 67), (1_080, 1_350, 80), (50, 60, 50), (1, 9_000, 1), (0, 0, 100)])
    func `a copy is as wide as it is made`(_ width: Int, _ height: Int, _ fitted: Int) {
        let variant = ResizedVariant(pixelWidth: 100, pixelHeight: 100)
        #expect(variant.fittedWidth(pixelWidth: width, pixelHeight: height) == fitted)
    }

    @Test func `an image that is no object has no copy`() {
        let reference = ImageReference(.url(fakeURL("http://elsewhere.test/0.jpg")))
        #expect(reference.resized(to: Self.variant) == reference)
    }

    private func pipeline(_ objects: FakeObjects) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(disk: .init(directory: directory.url))
        )
    }

    @Test func `is kept as long as its original, though it was made later`() async throws {
        let objects = FakeObjects(["o/f/0_200x100": .init(data: picture(50), generation: 12)])
        let copy = reference("f", generation: 10).resized(to: Self.variant)
        for _ in 0..<2 {
            let pipeline = try pipeline(objects)
            for _ in 0..<2 { #expect(try await pipeline.image(for: copy) == picture(50)) }
        }
        #expect(objects.requests.count == 1)
        objects.put(.init(data: picture(50, seed: 3), generation: 22), at: "o/f/0_200x100")
        let newer = reference("f", generation: 20).resized(to: Self.variant)
        #expect(try await pipeline(objects).image(for: newer) == picture(50, seed: 3))
        #expect(objects.requests.count == 2)
    }

    @Test func `a copy of the former original is asked for again until the new one is made`() async throws {
        let objects = FakeObjects(["o/f/0_200x100": .init(data: picture(50), generation: 12)])
        let pipeline = try pipeline(objects)
        let copy = reference("f", generation: 20).resized(to: Self.variant)
        #expect(try await pipeline.image(for: copy) == picture(50))
        objects.put(.init(data: picture(50, seed: 3), generation: 22), at: "o/f/0_200x100")
        for _ in 0..<2 { #expect(try await pipeline.image(for: copy) == picture(50, seed: 3)) }
        #expect(objects.requests.count == 2)
    }

    @Test func `a copy whose original tells no generation is held against its server`() async throws {
        let objects = FakeObjects(["o/f/0_200x100": .init(data: picture(50), generation: 12)])
        let pipeline = try pipeline(objects)
        let copy = reference("f", generation: nil).resized(to: Self.variant)
        for _ in 0..<2 { #expect(try await pipeline.image(for: copy) == picture(50)) }
        #expect(objects.requests.map { $0.headers["If-None-Match"] != nil } == [false, true])
    }

    @Test(arguments: [
        ("a/b/0_200x100", "a/b/0"), ("a/b_200x100.jpg", "a/b.jpg"), ("a_1x1/b_200x100", "a_1x1/b"),
        ("a_2x2_200x100.webp", "a_2x2.webp"), ("a/b_200x100.jpg/c", nil), ("_200x100", nil), ("a_0x100", nil),
        ("a_200x1000000", nil), ("a_200x100.tar.gz", nil), ("a", nil),
    ])
    func `the name of a copy says of what`(_ name: String, _ original: String?) {
        let found = ResizedVariant.original(ofCopy: name)
        #expect(found?.name == original)
        #expect(original == nil || found?.variant == Self.variant)
    }
}
