// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// The access control list that a bucket gives to its objects.
struct DefaultAccessTests {
    /// googleapis/nodejs-storage 7.19, `system-test/storage.ts`, "preserves bucket/file ACL over uniform bucket-level
    /// access on/off".
    @Test(arguments: ["/b/bkt/defaultObjectAcl", "/b/bkt/o/a/acl"])
    func `survives uniform access on and off, tags included`(list: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/b", [:], "{\"name\":\"bkt\"}")
        try await fixture.send(.post, "/upload/b/bkt/o?uploadType=media&name=a", [:], "x")
        let first = try await fixture.send(.get, list)
        let made = try await fixture.send(.put, list + "/user-a@b.example", [:], "{\"role\":\"OWNER\"}")
        #expect(made.status == 200)
        #expect(try made.json("entity") == "user-a@b.example")
        let before = try await fixture.send(.get, list)
        #expect(try before.json(each: "items", "entity").last == "user-a@b.example")
        #expect(try before.json("items.0.etag") != first.json("items.0.etag"))
        for (isUniform, status) in [(true, 400), (false, 200)] {
            let access = "{\"iamConfiguration\":{\"uniformBucketLevelAccess\":{\"enabled\":\(isUniform)}}}"
            try await fixture.send(.patch, "/b/bkt", [:], access)
            #expect(try await fixture.send(.get, list).status == status)
        }
        #expect(try await fixture.send(.get, list).text == before.text)
    }

    @Test func `changes no grant that is not there by PATCH`() async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/b", [:], "{\"name\":\"bkt\"}")
        let grant = "/b/bkt/defaultObjectAcl/user-a@b.example"
        #expect(try await fixture.send(.patch, grant, [:], "{\"role\":\"OWNER\"}").status == 404)
    }
}
