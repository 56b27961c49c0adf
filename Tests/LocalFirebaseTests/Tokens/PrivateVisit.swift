// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import SessionLog
import Testing
import TinyFeed

/// A signed-in user of a private feed, who loads in every way that there is.
struct PrivateVisit {
    let firestore: RecordingHost
    let storage: RecordingHost
    /// Sends its clients further on, where they are redirected to it.
    let elsewhere: RecordingHost
    let furtherOn: RecordingHost
    let pipeline: ImagePipeline

    private let endpoint: FeedEndpoint
    private let directory: URL
    private let user = SecretTokens()
    private let transport: any HTTPTransport

    private static let picture = RecordingHost.answer("200 OK", "Content-Type: image/jpeg\r\n", body: "picture")

    init(_ addresses: EmulatorAddresses, directory: URL) throws {
        let furtherOn = try RecordingHost(to: addresses.ports.storage) { _ in Self.picture }
        let next = furtherOn.address + "/end"
        let elsewhere = try RecordingHost(to: addresses.ports.storage) { request in
            request.hasPrefix("GET /start") ? RecordingHost.redirection(to: next) : Self.picture
        }
        let start = elsewhere.address + "/start"
        storage = try RecordingHost(to: addresses.ports.storage) { request in
            if request.contains("moved") { return RecordingHost.redirection(to: start) }
            // A gateway that shows a client its request.
            return request.contains("echo") ? RecordingHost.answer("400 Bad Request", body: request) : nil
        }
        firestore = try RecordingHost(to: addresses.ports.firestore)
        (self.elsewhere, self.furtherOn, self.directory) = (elsewhere, furtherOn, directory)
        endpoint = try FeedEndpoint(
            firestore: firestore.url(),
            storage: storage.url(),
            project: TinyFeed.address.project,
            bucket: TinyFeed.address.bucket
        )
        let cut = "return-broken-stream-after-8K"
        transport = try FaultyDownloads(
            URLSessionTransport(),
            storage: #require(URL(string: "http://\(addresses.storage)")),
            faults: ["p1%2F1": ["return-503", cut], "p3%2F2": [cut, cut, cut]]
        )
        pipeline = try Self.pipeline(endpoint.storage, transport, SecretTokens(), directory)
    }

    private static func pipeline(
        _ storage: URL,
        _ transport: any HTTPTransport,
        _ user: SecretTokens,
        _ directory: URL
    ) throws -> ImagePipeline {
        try ImagePipeline(
            storage: storage,
            transport: transport,
            configuration: .init(
                disk: .init(directory: directory.appending(path: "caches")),
                retries: RetryPolicy(firstDelay: .milliseconds(1)),
                credentials: user
            )
        )
    }

    private func object(_ name: String, generation: Int64? = nil, token: String? = nil) -> ImageReference {
        ImageReference(.object(bucket: endpoint.bucket, name: name), generation: generation, token: token)
    }

    /// Shows the feed, and loads in the ways that it does not.
    func load() async throws {
        let repository = FeedRepository(endpoint: endpoint, transport: transport, credentials: user)
        let session = FeedSession(
            repository: repository,
            pipeline: pipeline,
            mode: .thumbnails,
            pageSize: 3,
            recorder: try ViewRecorder(
                path: directory.appending(path: "views.log").path,
                client: "ada",
                endpoint: endpoint,
                pageSize: 3
            )
        )
        let screen = try await session.openFeed(.popular)
        let uploader = ImageUploader(
            storage: endpoint.storage,
            transport: transport,
            pipeline: pipeline,
            credentials: user
        )
        let own = try await uploader.upload(
            Data("own".utf8),
            contentType: "image/jpeg",
            bucket: endpoint.bucket,
            owner: "ada",
            feed: "mine",
            index: 0
        )
        let post = try #require(screen.posts.first { $0.id == "p3" })
        let thumbnail = post.reference(to: post.images[0], in: endpoint.bucket)
        let unversioned = object("u1/p1/0")
        // Asked about again, in part, by a download token, and elsewhere.
        let references = try [
            thumbnail.resized(to: ResizedVariant(pixelWidth: 40, pixelHeight: 80)),
            object("u1/p1/1"), unversioned, unversioned, object("u2/p2/0").prefix(1_000),
            object("u2/p2/0").goingOn(afterPrefix: 1_000), object("ada/mine/0", token: own.token),
            ImageReference(.url(elsewhere.url("/picture"))), object("moved"),
        ]
        for reference in references { _ = try await pipeline.image(for: reference) }
        // One of its images breaks off, and stays so.
        #expect(try await session.openPost(owner: "u1", id: "p3").failedImageCount == 1)
    }

    /// Fails in the ways that there are; returns what an app might log of it.
    func failureTexts() async throws -> [String] {
        let closed = try #require(URL(string: "http://127.0.0.1:1"))
        let unreachable = try Self.pipeline(closed, URLSessionTransport(), user, directory)
        var texts: [String] = []
        for (pipeline, name) in [(pipeline, "u1/none/0"), (pipeline, "echo"), (unreachable, "u1/none/0")] {
            let error = await #expect(throws: FeedError.self) { _ = try await pipeline.image(for: object(name)) }
            texts.append(Self.text(error as Any))
        }
        let forbidden = FeedRepository(endpoint: endpoint, transport: transport, credentials: Expired())
        let error = await #expect(throws: FeedError.self) {
            _ = try await forbidden.page(sort: .popular, number: 0, size: 3)
        }
        #expect(error?.status == 403)
        let credentials = try await user.credentials(forcingRefresh: false)
        return texts + [Self.text(error as Any), Self.text(pipeline.ledger.totals), Self.text(credentials)]
    }

    private static func text(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    /// Expects the tokens in every request that a user's tokens open.
    func expectTokensWhereDue() {
        let ways = ["If-None-Match", "Range: bytes=0-", "If-Range", "_40x80", "POST", "moved", "echo", "token="]
        for way in ways { #expect(storage.heads.contains { $0.contains(way) }, "\(way)") }
        for (host, scheme) in [(firestore, "Bearer"), (storage, "Firebase")] {
            for head in host.heads {
                let hasTokens = [SecretTokens.expired, SecretTokens.valid].contains {
                    head.contains("\r\nAuthorization: \(scheme) \($0)\r\n")
                }
                #expect(hasTokens != head.contains("&token="), "\(head)")
                // Foundation writes the field's name in letters of its own.
                #expect(head.contains("heck: \(SecretTokens.appCheck)") == hasTokens, "\(head)")
            }
            for token in [SecretTokens.expired, SecretTokens.valid] {
                #expect(host.heads.contains { $0.contains(token) }, "\(scheme)")
            }
        }
    }
}

/// Has no newer token than the one that is refused.
private struct Expired: FirebaseCredentialProvider {
    func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials {
        FirebaseCredentials(idToken: SecretTokens.expired, appCheckToken: SecretTokens.appCheck)
    }
}
