// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Buckets that were deleted and can be restored, by the JSON API.
struct DeletedBucketTests {
    @Test func `lists deleted buckets with the times of their deletion, and no others`() async throws {
        let fixture = try StorageFixture()
        for name in ["a1", "a2", "b1", "live"] {
            let policy = "\"softDeletePolicy\":{\"retentionDurationSeconds\":\"604800\"}"
            try await fixture.send(.post, "/b", [:], "{\"name\":\"\(name)\",\(policy)}")
        }
        try await fixture.send(.post, "/b", [:], "{\"name\":\"gone\"}")
        for name in ["a1", "a2", "b1", "gone"] { try await fixture.send(.delete, "/b/\(name)") }
        let all = try await fixture.send(.get, "/b?softDeleted=true")
        #expect(try all.json(each: "items", "name") == ["a1", "a2", "b1"])
        #expect(try all.json(each: "items", "softDeleteTime") == Array(repeating: "2026-09-30T17:26:04.648Z", count: 3))
        #expect(try all.json(each: "items", "hardDeleteTime") == Array(repeating: "2026-10-07T17:26:04.648Z", count: 3))
        #expect(try all.json(each: "items", "generation") == Array(repeating: "\(StorageFixture.time)", count: 3))
        #expect(try await fixture.send(.get, "/b").json(each: "items", "name") == ["live"])
        #expect(try await fixture.send(.get, "/b?softDeleted=true&prefix=b").json(each: "items", "name") == ["b1"])

        let first = try await fixture.send(.get, "/b?softDeleted=true&maxResults=2")
        #expect(try first.json(each: "items", "name") == ["a1", "a2"])
        let token = try #require(try first.json("nextPageToken"))
        let second = try await fixture.send(.get, "/b?softDeleted=true&maxResults=2&pageToken=\(token)")
        #expect(try second.json(each: "items", "name") == ["b1"])
        #expect(try second.json("nextPageToken") == nil)

        #expect(try await fixture.send(.post, "/b/a1/restore?generation=\(StorageFixture.time)").status == 200)
        #expect(try await fixture.send(.get, "/b?softDeleted=true").json(each: "items", "name") == ["a2", "b1"])
    }
}
