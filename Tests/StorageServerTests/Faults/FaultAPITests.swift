// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import StorageServer

/// The fault API of Google's storage testbench, and calls that fail as it says.
struct FaultAPITests {
    let fixture: StorageFixture
    let pauses = PauseLog()

    init() throws { fixture = try StorageFixture(faults: pauses.injector) }

    /// Plans faults of one method; returns the header that asks for them.
    private func plan(_ method: String, _ faults: String...) async throws -> [String: String] {
        let texts = faults.map { "\"\($0)\"" }.joined(separator: ",")
        let body = "{\"instructions\":{\"storage.\(method)\":[\(texts)]}}"
        return ["x-retry-test-id": try #require(try await fixture.send(.post, "/retry_test", [:], body).json("id"))]
    }

    private func isCompleted(_ plan: [String: String]) async throws -> Bool {
        let id = try #require(plan["x-retry-test-id"])
        return try await fixture.send(.get, "/retry_test/\(id)").json("completed") == "1"
    }

    @Test func `makes, shows, lists and deletes plans`() async throws {
        #expect(try await fixture.send(.get, "/retry_tests?prettyPrint=false").text == #"{"retry_test":[]}"#)
        let body =
            #"{"instructions":{"storage.objects.get":["return-503"],"storage.buckets.get":["stall-for-1s-after-0K"]}}"#
        let made = try await fixture.send(.post, "/retry_test?prettyPrint=false", [:], body)
        let id = try #require(try made.json("id"))
        #expect(made.status == 200)
        #expect(id.utf8.count == 32)
        let expected =
            #"{"id":"\#(id)","instructions":{"storage.buckets.get":["stall-for-1s-after-0K"],"#
            + #""storage.objects.get":["return-503"]},"completed":false,"transport":"HTTP"}"#
        #expect(made.text == expected)
        #expect(try await fixture.send(.get, "/retry_test/\(id)?prettyPrint=false").text == expected)
        #expect(try await fixture.send(.get, "/retry_tests?prettyPrint=false").text == "{\"retry_test\":[\(expected)]}")
        #expect(try await fixture.send(.delete, "/retry_test/\(id)").text == "Deleted \(id)")
        #expect(try await fixture.send(.get, "/retry_test/\(id)").status == 404)
        #expect(try await fixture.send(.delete, "/retry_test/\(id)").status == 404)
    }

    @Test func `refuses bad plans`() async throws {
        let none = try await fixture.send(.post, "/retry_test", [:], "{}")
        #expect(none.status == 400)
        #expect(none.text == "instructions is not defined")
        let unknown = try await fixture.send(.post, "/retry_test", [:], #"{"instructions":{"storage.x.get":[]}}"#)
        #expect(unknown.status == 400)
        let message = try unknown.json("error.message")
        #expect(message == "The requested method <storage.x.get> for fault injection is invalid.")
        let large = String(repeating: " ", count: FaultPlanRequest.byteCountMax + 1)
        #expect(try await fixture.send(.post, "/retry_test", [:], large).status == 400)
        #expect(try await fixture.send(.put, "/retry_test").status == 405)
        #expect(try await fixture.send(.post, "/retry_tests").status == 405)
    }

    @Test func `fails the calls of the method in order`() async throws {
        let plan = try await plan("buckets.list", "return-503", "return-401")
        #expect(try await fixture.send(.get, "/b/bkt", plan).status == 404)
        let first = try await fixture.send(.get, "/storage/v1/b", plan)
        #expect(first.status == 503)
        #expect(try first.json("error.message") == "Retry Test: Caused a 503")
        #expect(try first.json("error.errors.0.reason") == "backendError")
        #expect(try await !isCompleted(plan))
        #expect(try await fixture.send(.get, "/b", plan).status == 401)
        #expect(try await isCompleted(plan))
        #expect(try await fixture.send(.get, "/b", plan).status == 200)
    }

    @Test(
        "answers 404 to every call that names an unknown plan",
        arguments: ["/b", "/storage/v1/b/bkt/o", "/v0/b/bkt/o", "/v0/b/bkt/o/a?alt=media"]
    )
    func isUnknown(path: String) async throws {
        #expect(try await fixture.send(.get, path, ["x-retry-test-id": "no"]).status == 404)
    }

    @Test func `carries nothing out that is answered with a failure`() async throws {
        let plan = try await plan("objects.insert", "return-503", "return-503-after-1K")
        let target = "/upload/storage/v1/b/bkt/o?uploadType=media&name=a"
        let body = String(repeating: "x", count: 1_024)
        #expect(try await fixture.send(.post, target, plan, body).status == 503)
        #expect(try fixture.isEmpty())
        // Too short for the second.
        #expect(try await fixture.send(.post, target, plan, "short").status == 200)
        let broken = try await fixture.send(.post, target, plan, body)
        #expect(broken.status == 503)
        #expect(try broken.json("error.message") == "Fault injected during an upload")
        #expect(try fixture.bytes("a") == Array("short".utf8))
        #expect(try await isCompleted(plan))
        #expect(try await fixture.send(.post, target, plan, body).status == 200)
        #expect(try fixture.bytes("a") == Array(body.utf8))
    }

    @Test func `stalls uploads and downloads`() async throws {
        let upload = try await plan("objects.insert", "stall-for-2s-after-1K")
        let body = String(repeating: "x", count: 3_000)
        for _ in 0..<2 {
            #expect(try await fixture.send(.post, "/v0/b/bkt/o?name=a", upload, body).status == 200)
        }
        #expect(pauses.durations == [.seconds(2)])
        let download = try await plan("objects.get", "stall-for-3s-after-1K")
        for _ in 0..<2 {
            #expect(try await fixture.send(.get, "/v0/b/bkt/o/a?alt=media", download).text == body)
        }
        #expect(pauses.durations == [.seconds(2), .seconds(3)])
    }

    @Test func `leaves out buckets that cannot be reached`() async throws {
        for name in ["a1", "b1", "c1"] { try await fixture.send(.post, "/b", [:], "{\"name\":\"\(name)\"}") }
        let plan = try await plan(
            "buckets.list",
            "return-unreachable-buckets-projects/_/buckets/b1,projects/_/buckets/c1"
        )
        #expect(try await fixture.send(.get, "/b", plan).json(each: "items", "name") == ["a1", "b1", "c1"])
        let answer = try await fixture.send(.get, "/b?returnPartialSuccess=true", plan)
        #expect(try answer.json(each: "items", "name") == ["a1"])
        #expect(try answer.json("unreachable.0") == "projects/_/buckets/b1")
        #expect(try answer.json("unreachable.1") == "projects/_/buckets/c1")
        #expect(try await isCompleted(plan))
    }

    @Test func `follows the one-time header`() async throws {
        try await fixture.putHello()
        let media = "/storage/v1/b/bkt/o/docs%2Fa.txt?alt=media"
        func send(_ instruction: String, _ path: String) async throws -> Answer {
            try await fixture.send(.get, path, ["x-goog-emulator-instructions": instruction])
        }
        #expect(try await send("return-corrupted-data", media).text == "Aello world")
        #expect(try await send("stall-always", media).text == "hello world")
        #expect(pauses.durations == [.seconds(10)])
        let metadata = try await send("return-corrupted-data", "/storage/v1/b/bkt/o/docs%2Fa.txt")
        #expect(try metadata.json("name") == "docs/a.txt")
        let testbench = ["x-goog-testbench-instructions": "return-corrupted-data"]
        #expect(try await fixture.send(.get, media, testbench).text == "Aello world")
        let later = ["x-goog-emulator-instructions": "return-503-after-256K/retry-1", "Range": "bytes=6-"]
        #expect(try await fixture.send(.get, media, later).status == 503)
    }
}
