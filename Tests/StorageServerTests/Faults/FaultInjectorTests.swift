// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import Testing
import Wire

@testable import StorageServer

/// The effect of a fault on a call.
@Suite(.timeLimit(.minutes(5))) struct FaultInjectorTests {
    let plans = FaultPlans()
    let pauses = PauseLog()

    private func call(
        _ path: String,
        _ headers: [String: String],
        _ body: String = "",
        _ operation: String = StorageOperation.upload
    ) throws -> StorageCall {
        var head = HTTPRequest(method: .put, scheme: "http", authority: "a", path: path)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let call = StorageCall(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))),
            target: try #require(RequestTarget(path)),
            exchange: Exchange(attribution: UsageAttribution(service: .storage, operation: "test"))
        )
        return call.attributed(to: StorageOperation(operation, .classA, .service))
    }

    private func plan(_ method: String, _ fault: String) throws -> String {
        let json = "{\"instructions\":{\"\(method)\":[\"\(fault)\"]}}"
        return plans.add(try #require(try FaultPlanRequest(Array(json.utf8)))).id
    }

    /// A chunk of a resumable upload, and how many of its bytes arrive before a fault at 1 KiB.
    struct Chunk: Sendable {
        let range: String?
        let byteCount: Int
        /// `nil` when no fault happens.
        let arriving: Int?
    }

    @Test(
        "keeps the bytes of a resumable upload that come before the fault",
        arguments: [
            Chunk(range: "bytes 0-1999/*", byteCount: 2_000, arriving: 1_024),
            Chunk(range: "bytes 0-1023/*", byteCount: 1_024, arriving: 1_024),
            Chunk(range: "bytes 0-1022/*", byteCount: 1_023, arriving: nil),
            Chunk(range: "bytes 1000-1999/2000", byteCount: 1_000, arriving: 24),
            Chunk(range: "bytes 1024-1999/2000", byteCount: 976, arriving: 0),
            Chunk(range: "bytes 4096-4099/*", byteCount: 4, arriving: 0),
            Chunk(range: "bytes 0-*/*", byteCount: 2_000, arriving: 1_024),
            Chunk(range: "bytes */*", byteCount: 0, arriving: nil),
            Chunk(range: "bytes */2000", byteCount: 0, arriving: nil),
            Chunk(range: nil, byteCount: 2_000, arriving: 1_024),
        ]
    )
    func keeps(chunk: Chunk) async throws {
        let injector = FaultInjector(plans: plans)
        let id = try plan("storage.objects.insert", "return-503-after-1K")
        var headers = ["x-retry-test-id": id, "Content-Length": String(chunk.byteCount)]
        headers["Content-Range"] = chunk.range
        let body = String(repeating: "x", count: chunk.byteCount)
        let call = try call("/upload/storage/v1/b/b/o?uploadType=resumable&upload_id=1", headers, body)
        var arrived = 0
        var failure: StorageFailure?
        do {
            _ = try await injector.inject(into: call) { call in
                try await WholeBody(of: call.request).forEachPiece { arrived += $0.readableBytes }
                return Response(status: .ok)
            }
        } catch let error as StorageFailure {
            failure = error
        }
        #expect(arrived == chunk.arriving ?? chunk.byteCount)
        #expect(failure?.status == (chunk.arriving == nil ? nil : 503))
        #expect(try plans.plan(id).isCompleted == (chunk.arriving != nil))
    }

    @Test(
        "tells the requests of an upload apart",
        arguments: [
            ("/upload/storage/v1/b/b/o?uploadType=media", nil, UploadRequest.whole),
            ("/upload/storage/v1/b/b/o?uploadType=resumable", nil, .none),
            ("/v0/b/b/o?name=a", "start", .none),
            ("/v0/b/b/o?name=a", "query", .none),
            ("/v0/b/b/o?name=a", "upload", .chunk(start: 7)),
            ("/v0/b/b/o?name=a", "upload, finalize", .chunk(start: 7)),
            ("/v0/b/b/o?name=a", "finalize", .none),
            ("/v0/b/b/o?name=a", nil, .whole),
        ]
    )
    func tells(path: String, command: String?, expected: UploadRequest) throws {
        var headers = ["X-Goog-Upload-Offset": "7"]
        headers["X-Goog-Upload-Command"] = command
        #expect(UploadRequest(try call(path, headers)) == expected)
    }

    @Test func `counts on from no position that a client made up`() throws {
        for (text, start) in [("\(Int64.max)", 1 << 50), ("\(Int64.min)", 0)] as [(String, Int64)] {
            let chunk = ["X-Goog-Upload-Command": "upload", "X-Goog-Upload-Offset": text]
            #expect(UploadRequest(try call("/v0/b/b/o", chunk)) == .chunk(start: start))
        }
        let range = ["Content-Range": "bytes \(Int64.max)-*/*"]
        #expect(UploadRequest(try call("/upload/storage/v1/b/b/o?upload_id=1", range)) == .chunk(start: 1 << 50))
    }

    @Test func `stalls the chunk that passes the place`() async throws {
        let injector = FaultInjector(plans: plans, pause: pauses.injector.pause)
        let id = try plan("storage.objects.insert", "stall-for-5s-after-1K")
        for (range, expected) in [("0-1023", 0), ("2048-3071", 0), ("1024-2047", 1), ("1024-2047", 1)] {
            let headers = ["x-retry-test-id": id, "Content-Range": "bytes \(range)/*"]
            let call = try call("/upload?upload_id=1", headers, String(repeating: "x", count: 1_024))
            _ = try await injector.inject(into: call) { call in
                try await WholeBody(of: call.request).forEachPiece { _ in }
                return Response(status: .ok)
            }
            #expect(pauses.durations.count == expected)
        }
    }

    @Test func `cuts the answer that ends a resumable upload`() async throws {
        let injector = FaultInjector(plans: plans)
        let id = try plan("storage.objects.insert", "return-broken-stream-final-chunk-after-4B")
        let call = try call("/upload?upload_id=1", ["x-retry-test-id": id])
        func send(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) async throws -> Answer {
            try await Answer(
                try await injector.inject(into: call) { _ in
                    Response(
                        status: status,
                        headers: fields,
                        body: ResponseBody(byteBuffer: ByteBuffer(string: "{json}"))
                    )
                }
            )
        }
        #expect(try await send(.init(code: 308)).text == "{json}")
        let override = try #require(HTTPField.Name("X-HTTP-Status-Code-Override"))
        #expect(try await send(.ok, [override: "308"]).text == "{json}")
        let cut = try await send(.ok)
        #expect(cut.text == "{jso")
        #expect(cut["Content-Length"] == "4")
        #expect(try await send(.ok).text == "{json}")
    }

    @Test func `breaks no answer of another method off behind a place`() async throws {
        let injector = FaultInjector(plans: plans)
        let id = try plan("storage.objects.list", "return-broken-stream-after-0K")
        let call = try call("/b/b/o", ["x-retry-test-id": id], "", "storage.objects.list")
        let response = try await injector.inject(into: call) { _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "{json}")))
        }
        #expect(try await Answer(response).text == "{json}")
        #expect(try !plans.plan(id).isCompleted)
    }
}
