// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

@Suite struct BlurHashTests {
    /// A gradient that differs in all channels.
    private let picture = TestPicture.pixels(width: 64, height: 48)

    @Test(arguments: [(3, 3, 22), (4, 3, 28), (4, 4, 36), (1, 1, 6), (9, 9, 166)])
    func `has the length that its waves take`(horizontal: Int, vertical: Int, length: Int) throws {
        let hash = BlurHash(of: picture, horizontalCount: horizontal, verticalCount: vertical)
        #expect(hash.description.count == length)
        let read = try #require(BlurHash(hash.description))
        #expect(read.horizontalCount == horizontal && read.verticalCount == vertical)
        #expect(read.description == hash.description)
        #expect(read.meanColor == hash.meanColor)
    }

    @Test func `looks like the picture`() {
        let hash = BlurHash(of: picture, horizontalCount: 4, verticalCount: 3)
        let blurred = hash.pixels(width: 64, height: 48)
        #expect(blurred.count == picture.bytes.count)
        let error = zip(blurred, picture.bytes).map { abs(Int($0) - Int($1)) }.reduce(0, +) / blurred.count
        #expect(error < 12)
    }

    @Test(
        arguments: [
            "", "0", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjé", "LEHV6nWB2yk8pyo0adR*.7kCMdnj~~",
            "~EHV6nWB2yk8pyo0adR*.7kCMdnj",
        ]
    )
    func `refuses text that is no hash`(text: String) { #expect(BlurHash(text) == nil) }

    @Test func `reads the published example`() throws {
        // https://github.com/woltapp/blurhash, README.
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        #expect(hash.horizontalCount == 4 && hash.verticalCount == 3)
        #expect(hash.description == "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        #expect(hash.pixels(width: 32, height: 24, punch: 1.5).count == 32 * 24 * 3)
    }
}
