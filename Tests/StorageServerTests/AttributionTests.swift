// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import LiveServing
import LoopbackRelay
import Metering
import Testing

/// The attribution and the bill of every kind of request.
@Suite(.timeLimit(.minutes(5))) struct AttributionTests {
    /// A request and the record it must lead to.
    struct Case: Sendable {
        enum Charge: Sendable { case nothing, bytes, classA, classB }
        enum Place: Sendable { case nowhere, bucket, object }

        let status: Int
        let operation: String
        let charge: Charge
        let place: Place
        let request: String

        init(
            _ status: Int,
            _ operation: String,
            _ charge: Charge,
            _ place: Place,
            _ line: String,
            _ headers: String = "",
            _ body: String = ""
        ) {
            self.status = status
            self.operation = "storage.\(operation)"
            self.charge = charge
            self.place = place
            request = AttributionTests.request(line, headers, body)
        }
    }

    static func request(_ line: String, _ headers: String = "", _ body: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static let name = "u%2Ff%2F1"
    static let object = "/v0/b/bkt/o/\(name)"
    static let json = "/storage/v1/b/bkt/o/\(name)"
    static let upload = "/upload/storage/v1/b/bkt/o?uploadType=media&name=\(name)"
    static let multipart = MultipartBody(metadata: "{\"name\":\"u/f/1\"}").text

    static let cases: [Case] = [
        Case(200, "buckets.insert", .classA, .bucket, "POST /storage/v1/b", "", "{\"name\":\"bkt\"}"),
        Case(200, "buckets.list", .classA, .nowhere, "GET /storage/v1/b"),
        Case(200, "buckets.get", .classB, .bucket, "GET /b/bkt"),
        Case(200, "objects.insert", .classA, .object, "POST /v0/b/bkt/o?name=\(name)", "", "hello"),
        Case(200, "objects.insert", .classA, .object, "POST /v0/b/bkt/o", multipartHeaders, multipart),
        Case(200, "objects.insert", .classA, .object, "POST \(upload)", "", "hello"),
        Case(200, "objects.getMetadata", .classB, .object, "GET \(object)"),
        Case(200, "objects.get", .classB, .object, "GET \(object)?alt=media"),
        Case(200, "objects.get", .classB, .object, "HEAD \(object)?alt=media"),
        Case(206, "objects.get", .classB, .object, "GET \(object)?alt=media", "Range: bytes=1-2\r\n"),
        Case(416, "objects.get", .nothing, .object, "GET \(object)?alt=media", "Range: bytes=9-\r\n"),
        Case(304, "objects.get", .classB, .object, "GET \(object)?alt=media", "If-None-Match: *\r\n"),
        Case(403, "objects.get", .nothing, .object, "GET \(object)?alt=media&token=stale"),
        Case(200, "objects.getMetadata", .classB, .object, "GET \(json)"),
        Case(200, "objects.get", .classB, .object, "GET /download\(json)"),
        Case(412, "objects.getMetadata", .nothing, .object, "GET \(json)?ifGenerationMatch=1"),
        Case(200, "objects.patch", .classA, .object, "PATCH \(object)", "", "{}"),
        Case(200, "objects.patch", .classA, .object, "PATCH \(json)", "", "{}"),
        Case(200, "objects.list", .classA, .bucket, "GET /v0/b/bkt/o"),
        Case(200, "objects.list", .classA, .bucket, "GET /b/bkt/o"),
        Case(400, "objects.list", .nothing, .bucket, "GET /b/bkt/o?maxResults=x"),
        Case(204, "preflight", .bytes, .nowhere, "OPTIONS \(object)"),
        Case(200, "emulator", .bytes, .nowhere, "GET /v0/"),
        Case(404, "unknown", .nothing, .nowhere, "GET /internal/nothing"),
        Case(200, "objects.insert", .classA, .object, "PUT /bkt/u/f/1", "", "hello"),
        Case(200, "objects.copy", .classA, .object, "PUT /bkt/u/f/1", "x-goog-copy-source: bkt/u/f/1\r\n"),
        Case(200, "objects.get", .classB, .object, "GET /bkt/u/f/1"),
        Case(206, "objects.get", .classB, .object, "GET /bkt/u/f/1", "Range: bytes=0-0,2-3\r\n"),
        Case(200, "objects.getMetadata", .classB, .object, "HEAD /bkt/u/f/1"),
        Case(404, "objects.get", .nothing, .object, "GET /bkt/u/f/1?generation=1"),
        Case(200, "objects.list", .classA, .bucket, "GET /bkt"),
        Case(200, "buckets.get", .classB, .bucket, "HEAD /bkt"),
        Case(200, "buckets.get", .classB, .bucket, "GET /bkt?location"),
        Case(200, "buckets.list", .classA, .nowhere, "GET /"),
        Case(409, "buckets.insert", .nothing, .bucket, "PUT /bkt"),
        Case(409, "buckets.delete", .nothing, .bucket, "DELETE /bkt"),
        Case(204, "objects.insert", .classA, .object, "POST /bkt", formHeaders, form),
        Case(204, "objects.delete", .bytes, .object, "DELETE \(json)"),
        Case(404, "objects.delete", .nothing, .object, "DELETE \(object)"),
        Case(204, "buckets.delete", .bytes, .bucket, "DELETE /b/bkt"),
        Case(404, "buckets.delete", .nothing, .bucket, "DELETE /b/bkt"),
    ]

    static let formHeaders = "Content-Type: multipart/form-data; boundary=b\r\n"
    static let form = [
        "--b", "Content-Disposition: form-data; name=\"key\"", "", "u/f/1",
        "--b", "Content-Disposition: form-data; name=\"file\"; filename=\"1\"", "", "hello", "--b--", "",
    ].joined(separator: "\r\n")

    static let multipartHeaders =
        "X-Goog-Upload-Protocol: multipart\r\nContent-Type: multipart/related; boundary=00418\r\n"

    @Test func `tells the meter what each request was for`() async throws {
        try await LiveServer.run { server in
            _ = try await server.exchange(Self.cases.flatMap { Array($0.request.utf8) })
            let records = try await server.records.next(Self.cases.count)
            for (expected, record) in zip(Self.cases, records) {
                let line = Comment(rawValue: String(expected.request.prefix { $0 != "\r\n" }))
                #expect(record.status == expected.status, line)
                #expect(record.attribution.operation == expected.operation, line)
                #expect(record.attribution.bucket == (expected.place == .nowhere ? nil : "bkt"), line)
                let object = expected.place == .object ? "u/f/1" : nil
                #expect(record.attribution.object == object, line)
                #expect(record.attribution.image == object.flatMap { FeedImagePath(objectName: $0) }, line)
                #expect(record.billed == expected.charge.billed(sentBodyBytes: record.sent.body), line)
            }
        }
    }

    @Test func `answers HEAD with the fields of GET and without a byte of body`() async throws {
        try await LiveServer.run { server in
            try await server.fixture.putHello()
            let target = "/v0/b/bkt/o/docs%2Fa.txt?alt=media"
            var heads: [String] = []
            for method in ["GET", "HEAD"] {
                let text = String(
                    decoding: try await server.exchange(Array(Self.request("\(method) \(target)").utf8)),
                    as: UTF8.self
                )
                heads.append(text.split(separator: "\r\n\r\n").first.map(String.init) ?? "")
            }
            #expect(heads[0].lowercased().contains("content-length: 11"))
            #expect(heads[0].timelessLines == heads[1].timelessLines)
            #expect(try await server.records.next(2).map(\.sent.body) == [11, 0])
        }
    }

    @Test func `keeps the connection after it refused a body`() async throws {
        try await LiveServer.run { server in
            let refused = Self.request(
                "POST /upload/b/bkt/o?uploadType=resumable",
                "",
                String(repeating: "x", count: 500_000)
            )
            let answer = try await server.exchange(Array((refused + Self.request("GET /v0/")).utf8))
            let records = try await server.records.next(2)
            #expect(records.map(\.status) == [400, 200])
            #expect(records.map(\.received.body) == [500_000, 0])
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("}"))
        }
    }
}

extension String {
    /// The lines but those that contain the present time.
    fileprivate var timelessLines: [String] {
        split(separator: "\r\n").map { $0.lowercased() }.filter { !$0.hasPrefix("date:") && !$0.hasPrefix("expires:") }
    }
}

extension AttributionTests.Case.Charge {
    fileprivate func billed(sentBodyBytes: Int64) -> BilledUsage {
        switch self {
        case .nothing: .zero
        case .bytes: BilledUsage(egressBytes: sentBodyBytes)
        case .classA: BilledUsage(egressBytes: sentBodyBytes, classA: 1)
        case .classB: BilledUsage(egressBytes: sentBodyBytes, classB: 1)
        }
    }
}
