// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LogImport

struct RecentRequestsTests {
    @Test func `a request is new once, in a batch and over batches`() {
        var recent = RecentRequests()
        #expect(recent.insert([5, 6, 5, 0, 0]) == [true, true, false, true, false])
        #expect(recent.insert([6, 7, 1]) == [false, true, false])
    }

    @Test func `half a million are remembered, and memory does not grow`() {
        var recent = RecentRequests()
        let hashes = (1...1_400_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
        for start in stride(from: 0, to: hashes.count, by: 250) {
            #expect(recent.insert(Array(hashes[start..<start + 250])).allSatisfy { $0 })
            guard start >= 500_000, start % 10_000 == 0 else { continue }
            #expect(recent.insert(Array(hashes[(start - 500_000)..<(start - 499_900)])).allSatisfy { !$0 })
        }
        #expect(recent.insert([hashes[0]]) == [true], "what is long ago is forgotten")
    }
}
