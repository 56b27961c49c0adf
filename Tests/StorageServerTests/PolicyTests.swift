// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// IAM policies of buckets.
struct PolicyTests {
    /// googleapis/nodejs-storage 7.19, `system-test/storage.ts`, "should get a policy".
    @Test(arguments: [("?project=demo-test", "demo-test"), ("", "123456789012")])
    func `names the project of a new bucket as the client did`(query: String, project: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/b" + query, [:], "{\"name\":\"bkt\"}")
        try await fixture.send(.patch, "/b/bkt", [:], "{\"labels\":{\"a\":\"b\"}}")
        let policy = try await fixture.send(.get, "/b/bkt/iam")
        #expect(policy.status == 200)
        #expect(try policy.json("bindings.0.role") == "roles/storage.legacyBucketOwner")
        #expect(try policy.json("bindings.0.members.0") == "projectEditor:\(project)")
        #expect(try policy.json("bindings.0.members.1") == "projectOwner:\(project)")
        #expect(try policy.json("bindings.1.role") == "roles/storage.legacyBucketReader")
        #expect(try policy.json("bindings.1.members.0") == "projectViewer:\(project)")
    }
}
