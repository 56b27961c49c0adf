// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Softly deleted objects of buckets with and without a hierarchical namespace.
struct RestoreTokenTests {
    @Test(arguments: [true, false])
    func `names the restore token in lists and gets of hierarchical buckets alone`(isHierarchical: Bool) async throws {
        let fixture = try StorageFixture()
        let bucket = """
            {"name":"bkt","hierarchicalNamespace":{"enabled":\(isHierarchical)},
             "softDeletePolicy":{"retentionDurationSeconds":"604800"}}
            """
        try await fixture.send(.post, "/b", [:], bucket)
        let stored = try await fixture.send(.post, "/upload/b/bkt/o?uploadType=media&name=a", [:], "x")
        #expect(try stored.json("restoreToken") == nil)
        let generation = try #require(try stored.json("generation"))
        try await fixture.send(.delete, "/b/bkt/o/a")

        let deleted = "/b/bkt/o/a?softDeleted=true&generation=\(generation)"
        let token = try await fixture.send(.get, deleted).json("restoreToken")
        #expect((token != nil) == isHierarchical)
        let listed = try await fixture.send(.get, "/b/bkt/o?softDeleted=true")
        #expect(try listed.json(each: "items", "name") == ["a"])
        #expect(try listed.json("items.0.restoreToken") == token)

        let isKnown = try await fixture.send(.get, deleted + "&restoreToken=AAAA").status == 200
        #expect(isKnown != isHierarchical)
        let restore = "/b/bkt/o/a/restore?generation=\(generation)"
        if isHierarchical { #expect(try await fixture.send(.post, restore + "&restoreToken=AAAA").status == 404) }
        let restored = try await fixture.send(.post, restore + (token.map { "&restoreToken=\($0)" } ?? ""))
        #expect(restored.status == 200)
        #expect(try restored.json("restoreToken") == nil)
    }
}
