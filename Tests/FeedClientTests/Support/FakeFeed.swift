// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import JSON
import SessionLog

/// A feed in memory behind the transport's seam: it answers page queries and serves image bytes.
///
/// Post `i` has `100 - 10 * i` likes and is made on day `i + 1`, so that popular is p0, p1, … and latest the reverse.
/// Image 0 has 10 bytes, the others have 100.
struct FakeFeed: HTTPTransport {
    static let endpoint = FeedEndpoint(
        firestore: fakeURL("http://firestore.test"),
        storage: fakeURL("http://storage.test"),
        project: "demo",
        bucket: "demo.appspot.com"
    )

    var postCount = 6
    var imageCount = 3
    /// Object names that answer 404; a smaller copy, `0_20x20`, has 4 bytes.
    var missing: Set<String> = []

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        request.method == "POST" ? try page(request) : image(request)
    }

    private func page(_ request: TransportRequest) throws -> TransportResponse {
        let query = try JSONValue(parsing: Array(request.body ?? Data()))["structuredQuery"] ?? .null
        let isPopular = query["orderBy"]?.array?.first?["field"]?["fieldPath"]?.string == "likes"
        let order = isPopular ? Array(0..<postCount) : (0..<postCount).reversed()
        var start = Int(query["offset"]?.integer ?? 0)
        if let name = query["startAt"]?["values"]?.array?.last?["referenceValue"]?.string {
            start = (order.firstIndex { Self.documentName($0) == name } ?? postCount) + 1
        }
        let posts = order.dropFirst(start).prefix(Int(query["limit"]?.integer ?? 0))
        let elements = posts.map { JSONValue.object(["document": document($0), "readTime": .string("T")]) }
        let answer = elements.isEmpty ? [.object(["readTime": .string("T")])] : elements
        return TransportResponse(status: 200, body: Data(JSONValue.array(answer).encoded))
    }

    private func image(_ request: TransportRequest) -> TransportResponse {
        let name = request.url.lastPathComponent
        guard !missing.contains(name),
            let index = name.split(separator: "/").last.flatMap({ Int($0.prefix { $0 != "#" && $0 != "_" }) })
        else {
            let body = #"{"error":{"code":404,"message":"Not Found."}}"#
            return TransportResponse(status: 404, body: Data(body.utf8))
        }
        let seed = name.utf8.reduce(0) { $0 &* 31 &+ $1 }
        let byteCount = name.contains("_") ? 4 : index == 0 ? 10 : 100
        return TransportResponse(status: 200, body: Data(repeating: seed, count: byteCount))
    }

    static func documentName(_ post: Int) -> String {
        "projects/demo/databases/(default)/documents/posts/p\(post)"
    }

    private func document(_ post: Int) -> JSONValue {
        let images = (0..<imageCount).map { JSONValue.object(["mapValue": .object(["fields": Self.image($0)])]) }
        return .object([
            "name": .string(Self.documentName(post)),
            "fields": .object([
                "userID": .object(["stringValue": .string("u\(post)")]),
                "feedID": .object(["stringValue": .string("p\(post)")]),
                "title": .object(["stringValue": .string("Post \(post)")]),
                "likes": .object(["integerValue": .string("\(100 - 10 * post)")]),
                "createdAt": .object(["timestampValue": .string("2026-11-0\(post + 1)T00:00:00.5Z")]),
                "imageCount": .object(["integerValue": .string("\(imageCount)")]),
                "images": .object(["arrayValue": .object(["values": .array(images)])]),
            ]),
        ])
    }

    private static func image(_ index: Int) -> JSONValue {
        .object([
            "width": .object(["integerValue": .string("1080")]),
            "height": .object(["integerValue": .string("1350")]),
            "bytes": .object(["integerValue": .string(index == 0 ? "10" : "100")]),
            "generation": .object(["integerValue": .string("1795222306653000")]),
            "token": .object(["stringValue": .string("t\(index)")]),
        ])
    }
}

func fakeURL(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}
