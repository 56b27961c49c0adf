// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing

/// Buckets by Google's JSON API.
struct JSONBucketTests {
    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    @Test func `creates, describes and deletes a bucket`() async throws {
        #expect(try await fixture.send(.get, "/b/bkt").status == 404)
        let created = try await fixture.send(
            .post,
            "/storage/v1/b?project=p",
            [:],
            "{\"name\":\"bkt\",\"location\":\"EU\"}"
        )
        #expect(created.status == 200)
        let expected = [
            "kind": "storage#bucket", "id": "bkt", "name": "bkt", "storageClass": "STANDARD", "metageneration": "1",
            "selfLink": "http://emulator.test:9199/storage/v1/b/bkt", "timeCreated": "2026-09-30T17:26:04.648Z",
        ]
        for (key, value) in expected { #expect(try created.json(key) == value, "\(key)") }
        #expect(try await fixture.send(.get, "/storage/v1/b/bkt").text == created.text)
        #expect(try await fixture.send(.get, "/b/bkt?fields=name&prettyPrint=false").text == "{\"name\":\"bkt\"}")
        let again = try await fixture.send(.post, "/b", [:], "{\"name\":\"bkt\"}")
        #expect(again.status == 409)
        #expect(try again.json("error.errors.0.reason") == "conflict")
        #expect(try await fixture.send(.delete, "/b/bkt").status == 204)
        let gone = try await fixture.send(.delete, "/b/bkt")
        #expect(gone.status == 404)
        #expect(try gone.json("error.message") == "The specified bucket does not exist.")
    }

    @Test func `keeps a bucket that holds objects`() async throws {
        try await fixture.putHello()
        let answer = try await fixture.send(.delete, "/b/bkt")
        #expect(answer.status == 409)
        #expect(try answer.json("error.message") == "The bucket you tried to delete is not empty.")
        #expect(try await fixture.send(.get, "/b/bkt").status == 200)
    }

    @Test(
        "refuses to create a bucket from",
        arguments: [
            ("", "required"), ("[]", "parseError"), ("{}", "required"), ("{\"name\":1}", "required"),
            ("{\"name\":\"\"}", "invalid"), ("{\"name\":\"UPPER\"}", "invalid"), ("{\"name\":\"a b\"}", "invalid"),
        ]
    )
    func refusesToCreate(body: String, reason: String) async throws {
        let answer = try await fixture.send(.post, "/b", [:], body)
        #expect(answer.status == 400)
        #expect(try answer.json("error.errors.0.reason") == reason)
        #expect(try fixture.store.buckets().isEmpty)
    }

    @Test(arguments: ["retentionPolicy": "retentionPeriod", "softDeletePolicy": "retentionDurationSeconds"])
    func `survives a bucket that keeps objects for ever`(policy: String, period: String) async throws {
        let bucket = "{\"name\":\"bkt\",\"\(policy)\":{\"\(period)\":\"\(Int64.max)\"}}"
        #expect(try await fixture.send(.post, "/b", [:], bucket).status == 200)
        #expect(try await fixture.putHello().status == 200)
        let isKept = policy == "retentionPolicy"
        #expect(try await fixture.send(.delete, "/b/bkt/o/docs%2Fa.txt").status == (isKept ? 403 : 204))
    }

    @Test func `lists pages of buckets`() async throws {
        #expect(try await fixture.send(.get, "/b?prettyPrint=false").text == "{\"kind\":\"storage#buckets\"}")
        for name in ["a1", "a2", "a3", "b1"] { try await fixture.send(.post, "/b", [:], "{\"name\":\"\(name)\"}") }
        let first = try await fixture.send(.get, "/b?maxResults=2&prefix=a")
        #expect(try first.json(each: "items", "name") == ["a1", "a2"])
        let token = try #require(try first.json("nextPageToken"))
        let second = try await fixture.send(.get, "/b?maxResults=2&prefix=a&pageToken=\(token)")
        #expect(try second.json(each: "items", "name") == ["a3"])
        #expect(try second.json("nextPageToken") == nil)
    }
}
