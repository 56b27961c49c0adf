// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Auditing

@Suite struct ReplayPaceTests {
    @Test func `the rest takes as long as what is done did, for each work by itself`() {
        var pace = ReplayPace()
        let start = ContinuousClock.now
        func text(_ subject: String, _ done: Int, after seconds: Int) -> String {
            pace.text(of: ReplayProgress(subject: subject, done: done, total: 200), at: start + .seconds(seconds))
        }
        #expect(text("5 strategies", 1, after: 0) == "5 strategies: 0 %")
        #expect(text("5 strategies", 20, after: 1) == "5 strategies: 10 %")
        #expect(text("5 strategies", 50, after: 20) == "5 strategies: 25 %, about 60 s left")
        #expect(text("5 strategies", 50, after: 100) == "5 strategies: 25 %, about 5 minutes left")
        #expect(text("5 strategies", 200, after: 100) == "5 strategies: 100 %, about 0 s left")
        #expect(text("thumbnails", 20, after: 101) == "thumbnails: 10 %")
        #expect(text("thumbnails", 100, after: 111) == "thumbnails: 50 %, about 10 s left")
    }
}
