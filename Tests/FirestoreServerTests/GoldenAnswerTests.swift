// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import Testing

/// Answers of the official emulator 1.19.9 (recorded in 2026-11), with production's texts where they are known.
struct GoldenAnswerTests {
    @Test(arguments: GoldenAnswer.documents + GoldenAnswer.commits + GoldenAnswer.queries + GoldenAnswer.listings)
    func `answers byte for byte`(golden: GoldenAnswer) async throws {
        let fixture = try FirestoreFixture()
        for step in golden.before {
            let response = await fixture.send(step)
            try #require(response.status == 200, "\(response.text)")
        }
        let response = await fixture.send(golden.request)
        #expect(response.text == golden.expectedBody)
        #expect(response.status == golden.status)
        #expect(response.billed.egressBytes == Int64(response.body.count))
    }
}
