// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Holds of objects by the JSON API, as googleapis/nodejs-storage 7.19 expects them (`system-test/storage.ts`).
struct HoldTests {
    static let object = "/b/bkt/o/a"

    @Test(arguments: ["temporaryHold", "eventBasedHold"])
    func `says of a released hold that it is false, and nothing of one that never was`(hold: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/upload/b/bkt/o?uploadType=media&name=a", [:], "x")
        #expect(try await fixture.send(.get, Self.object).json(hold) == nil)
        for (value, expected, deletion) in [("true", "1", 403), ("false", "0", 204)] {
            let patched = try await fixture.send(.patch, Self.object, [:], "{\"\(hold)\":\(value)}")
            #expect(try patched.json(hold) == expected)
            #expect(try await fixture.send(.get, Self.object).json(hold) == expected)
            #expect(try await fixture.send(.delete, Self.object).status == deletion)
        }
    }

    @Test(arguments: ["temporaryHold", "eventBasedHold"])
    func `takes a hold away that is null`(hold: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/upload/b/bkt/o?uploadType=media&name=a", [:], "x")
        try await fixture.send(.patch, Self.object, [:], "{\"\(hold)\":true}")
        #expect(try await fixture.send(.patch, Self.object, [:], "{\"\(hold)\":null}").json(hold) == nil)
        #expect(try await fixture.send(.delete, Self.object).status == 204)
    }
}
