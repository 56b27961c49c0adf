// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import Testing

/// Cloud Storage for Firebase as it answered a user in 2026 (github.com/t-k/fireemu,
/// conformance/fixtures/storage-object-production, auth--firebase-id-token.json and errors--authorization.json).
@Suite(.timeLimit(.minutes(5))) struct ProductionAnswersTests {
    private static let bytes = Data([0x00, 0x01, 0x7F, 0x80, 0xFF])
    private static let media: HeaderFields = [
        "Content-Type": "application/octet-stream", "Cache-Control": "private, max-age=0",
        "Expires": "Mon, 21 Sep 2026 07:28:13 GMT", "Accept-Ranges": "bytes",
        "ETag": "\"fe9503e9b76fc30c74bcecc03dc94bf8\"", "Last-Modified": "Mon, 21 Sep 2026 07:28:12 GMT",
        "Content-Disposition": "inline; filename*=utf-8''user.bin", "Content-Length": "5",
        "x-goog-hash": "crc32c=1Kspzg==, md5=/upD6bdvwxw0vOxAPcxL+A==", "x-goog-generation": "1789975692000000",
        "x-goog-metageneration": "1", "x-goog-storage-class": "STANDARD",
        "x-goog-stored-content-encoding": "identity", "x-goog-stored-content-length": "5",
    ]
    private static let refusal: HeaderFields = [
        "Content-Type": "application/json; charset=UTF-8", "Cache-Control": "private, max-age=0",
        "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*",
    ]

    @Test func `an image is opened with a newer token, verified and kept`() async throws {
        let answers = Locked([403, 200, 200])
        let transport = StubTransport {
            guard answers.withLock({ $0.removeFirst() }) == 403 else {
                return TransportResponse(status: 200, headers: Self.media, body: Self.bytes)
            }
            let body = Data(#"{"error":{"code":403,"message":"Permission denied."}}"#.utf8)
            return TransportResponse(status: 403, headers: Self.refusal, body: body)
        }
        let endpoint = FeedEndpoint.production(project: "p", bucket: "p.appspot.com")
        let pipeline = try ImagePipeline(
            storage: endpoint.storage,
            transport: transport,
            configuration: .init(credentials: Tokens())
        )
        let image = ImageReference(
            .object(bucket: endpoint.bucket, name: "auth/user.bin"),
            generation: 1_789_975_692_000_000
        )
        for _ in 0..<2 { #expect(try await pipeline.image(for: image) == Self.bytes) }
        let address = "https://firebasestorage.googleapis.com/v0/b/p.appspot.com/o/auth%2Fuser.bin?alt=media"
        #expect(transport.requests.map(\.url.absoluteString) == [address, address])
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Firebase old", "Firebase new"])
    }

    private struct Tokens: FirebaseCredentialProvider {
        func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials {
            FirebaseCredentials(idToken: forcingRefresh ? "new" : "old")
        }
    }
}
