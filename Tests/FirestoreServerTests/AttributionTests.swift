// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import Testing

struct AttributionTests {
    /// The claims `{"sub":"alice"}`, unsigned.
    private static let token = "Bearer e30.eyJzdWIiOiJhbGljZSJ9."

    @Test func `attributes a request to the user of its token`() async throws {
        let request = RESTRequest("GET", "/v1/\(FirestoreFixture.documents)/a", authorization: Self.token)
        #expect(try await FirestoreFixture().send(request).attribution.user == "alice")
    }
}
