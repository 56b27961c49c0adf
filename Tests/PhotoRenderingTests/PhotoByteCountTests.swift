// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import PhotoRendering
import SeededRandom
import Testing

struct PhotoByteCountTests {
    private static func targets(_ count: Int, _ byteCounts: PhotoByteCounts) -> [Int] {
        let renderer = PhotoRenderer(seed: 7, byteCounts: byteCounts)
        return (0..<count).map { renderer.targetByteCount(of: PhotoIdentity(owner: "u", feed: "p\($0)", index: 0)) }
    }

    @Test func `200 targets are log-normal around the median`() {
        let targets = Self.targets(200, PhotoByteCounts()).sorted()
        #expect((315_000...385_000).contains(targets[100]))
        // One sigma below and above: 350,000 times exp(-0.45) and exp(0.45).
        #expect((190_000...260_000).contains(targets[32]))
        #expect((470_000...640_000).contains(targets[168]))
    }

    @Test func `without spread every target is the median`() {
        #expect(Set(Self.targets(20, PhotoByteCounts(median: 100_000, sigma: 0))) == [100_000])
    }

    @Test func `targets stay within the limits`() {
        let targets = Self.targets(200, PhotoByteCounts(median: 350_000, sigma: 2))
        #expect(targets.min() == PhotoByteCounts.limits.lowerBound)
        #expect(targets.max() == PhotoByteCounts.limits.upperBound)
    }

    @Test func `targets are the same on every machine`() {
        #expect(Self.targets(4, PhotoByteCounts()) == [176_626, 420_775, 291_758, 345_822])
    }

    @Test func `the generator is the published one`() {
        // Reference values of SplitMix64 for the seed 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
        var generator = SplitMix64(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }

    @Test func `the hash is the published one`() {
        // FNV-1a of "foobar" (RFC 9923 and its predecessors' test vectors).
        var hash = StableHash()
        hash.combine("foobar".utf8)
        #expect(hash.value == 0x8594_4171_F739_67E8)
    }
}
