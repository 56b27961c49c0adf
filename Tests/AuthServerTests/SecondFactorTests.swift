// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import Testing

/// Second factors in the profile `production`.
struct SecondFactorTests {
    @Test("An administrator may give a user five phones, and ids are made")
    func limit() async throws {
        let fixture = try AuthFixture(profile: .production)
        let id = try await fixture.register("a@example.com").text("localId")
        let cases: [(count: Int, refusal: String?)] = [(5, nil), (6, "SECOND_FACTOR_LIMIT_EXCEEDED")]
        for (count, refusal) in cases {
            let phones = (0..<count).map { #"{"phoneInfo":"+1650555010\#($0)"}"# }.joined(separator: ",")
            let body = #"{"localId":"\#(id)","mfa":{"enrollments":[\#(phones)]}}"#
            let answer = try await fixture.accounts("update", body, asAdministrator: true)
            #expect(answer.refusal == refusal)
        }
    }

    @Test("An invalid phone is refused")
    func invalidPhone() async throws {
        let fixture = try AuthFixture(profile: .production)
        let id = try await fixture.register("a@example.com").text("localId")
        let body = #"{"localId":"\#(id)","mfa":{"enrollments":[{"phoneInfo":"1"}]}}"#
        let answer = try await fixture.accounts("update", body, asAdministrator: true)
        #expect(answer.refusal == "INVALID_PHONE_NUMBER : Invalid format.")
    }
}
