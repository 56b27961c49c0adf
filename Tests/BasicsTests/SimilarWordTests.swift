// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

struct SimilarWordTests {
    @Test(
        arguments: [
            ("rplay", "replay"), ("reaply", "replay"), ("memry", "memory"), ("disc", "disk"), ("total", "totals"),
            ("replay", "replay"), ("xyz", nil), ("", nil), ("me", nil),
        ] as [(String, String?)]
    )
    func `finds the word that was meant`(text: String, word: String?) {
        #expect(["memory", "disk", "replay", "totals"].word(similarTo: text) == word)
    }
}
