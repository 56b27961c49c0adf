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

struct CommandNamesTests {
    @Test(
        arguments: [
            (["rplay", "x"], "audit: 'rplay' is not a command; did you mean 'replay'?"),
            (["lunch"], "audit: 'lunch' is not a command; there are replay, totals, help"),
            (["totals", "x"], nil), (["help"], nil), (["--help"], nil), ([], nil),
        ] as [([String], String?)]
    )
    func `a first word that is not a command is named`(words: [String], problem: String?) {
        #expect(CommandNames(of: "audit", ["replay", "totals"]).problem(of: words) == problem)
    }
}
