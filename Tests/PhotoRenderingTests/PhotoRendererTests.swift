// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import PhotoRendering
import Testing

struct PhotoRendererTests {
    /// Small photos, for tests are built unoptimised.
    private static let renderer = PhotoRenderer(seed: 42, byteCounts: PhotoByteCounts(median: 80_000, sigma: 0.3))

    private static func identity(_ number: Int) -> PhotoIdentity {
        PhotoIdentity(owner: "u\(number % 3)", feed: "p\(number)", index: number % 5)
    }

    @Test(arguments: 0..<8) func `renders a whole JPEG within a tenth of its target`(_ number: Int) throws {
        let identity = Self.identity(number)
        let photo = try Self.renderer.photo(of: identity)
        let target = Self.renderer.targetByteCount(of: identity)
        #expect(abs(photo.bytes.count - target) <= target / 10)
        let info = try ImageInspector.verify(photo.bytes)
        #expect(info.format == .jpeg)
        #expect([info.pixelWidth, info.pixelHeight] == [photo.pixelWidth, photo.pixelHeight])
    }

    @Test func `reaches a large target too`() throws {
        let renderer = PhotoRenderer(seed: 1, byteCounts: PhotoByteCounts(median: 1_200_000, sigma: 0))
        let photo = try renderer.photo(of: Self.identity(1))
        #expect((1_080_000...1_320_000).contains(photo.bytes.count))
    }

    @Test func `renders the same file again`() throws {
        let identity = Self.identity(3)
        #expect(try Self.renderer.photo(of: identity) == Self.renderer.photo(of: identity))
    }

    /// Pixels only: another version of libjpeg may write other files.
    @Test func `paints the same pixels on every machine`() {
        var hash = StableHash()
        hash.combine(Self.renderer.pixels(of: Self.identity(0)).bytes)
        #expect(hash.value == 9_524_336_921_261_126_308)
    }

    @Test(arguments: [
        PhotoIdentity(owner: "u1", feed: "p0", index: 0),
        PhotoIdentity(owner: "u0", feed: "p1", index: 0),
        PhotoIdentity(owner: "u0", feed: "p0", index: 1),
    ])
    func `renders another photo for another identity`(_ other: PhotoIdentity) {
        #expect(Self.renderer.pixels(of: other) != Self.renderer.pixels(of: Self.identity(0)))
    }

    @Test func `renders another photo for another seed`() {
        let other = PhotoRenderer(seed: 43, byteCounts: Self.renderer.byteCounts)
        #expect(other.pixels(of: Self.identity(0)) != Self.renderer.pixels(of: Self.identity(0)))
    }
}
