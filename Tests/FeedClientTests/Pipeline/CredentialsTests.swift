// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

/// Private buckets: who sends which tokens where, and what becomes of a refusal.
@Suite(.timeLimit(.minutes(5))) struct CredentialsTests {
    private let directory = TemporaryDirectory()
    private let world = TestWorld()
    private let bucket = PrivateBucket()

    private func pipeline(_ user: SignedInUser?, retries: RetryPolicy = .never) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: bucket,
            configuration: .init(
                disk: .init(directory: directory.url),
                retries: retries,
                staleness: .revalidate,
                credentials: user
            ),
            environment: world.environment
        )
    }

    private static let object = ImageReference(.object(bucket: "b", name: "o/f/0"), generation: 1, byteCount: 300_000)

    /// Every kind of load of a private object.
    private static let loads: [(String, ImageReference)] = [
        ("whole", object),
        ("without a generation", ImageReference(.object(bucket: "b", name: "o/f/0"))),
        ("resized", object.resized(to: ResizedVariant(pixelWidth: 20, pixelHeight: 20))),
        ("a prefix", object.prefix(1_000)), ("behind a prefix", object.goingOn(afterPrefix: 1_000)),
    ]

    @Test(arguments: loads) func `tokens are sent with every load of an object`(
        _ kind: String,
        _ image: ImageReference
    ) async throws {
        let user = SignedInUser(["one"], appCheck: "app")
        bucket.accept("one")
        let pipeline = try pipeline(user)
        if kind == "behind a prefix" { _ = try await pipeline.image(for: Self.object.prefix(1_000)) }
        _ = try await pipeline.image(for: image)
        #expect(bucket.requests.allSatisfy { $0.headers["Authorization"] == "Firebase one" })
        #expect(bucket.requests.allSatisfy { $0.headers["X-Firebase-AppCheck"] == "app" })
    }

    @Test func `tokens are sent with what is resumed and what is asked about`() async throws {
        let user = SignedInUser(["one"])
        bucket.accept("one")
        bucket.objects.fail("o/f/0", [.cut(after: 100_000)])
        let whole = ImageReference(.object(bucket: "b", name: "o/f/0"))
        let pipeline = try pipeline(user, retries: RetryPolicy())
        _ = try await pipeline.image(for: whole)
        _ = try await pipeline.image(for: whole)
        #expect(bucket.requests.map { $0.headers["Range"] != nil } == [false, true, false])
        #expect(bucket.requests.map { $0.headers["If-None-Match"] != nil } == [false, false, true])
        #expect(bucket.requests.allSatisfy { $0.headers["Authorization"] == "Firebase one" })
    }

    @Test(arguments: [401, 403]) func `many refusals have the tokens refreshed once`(_ status: Int) async throws {
        let user = SignedInUser(["old", "new"])
        bucket.accept("new", otherwise: status)
        let pipeline = try pipeline(user)
        let images = (0..<20).map { ImageReference(.object(bucket: "b", name: "o/f/\($0)"), generation: 1) }
        let results = await pipeline.images(for: images).results()
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(user.refreshCount == 1)
        let refusalCount = bucket.requests.count { $0.headers["Authorization"] == "Firebase old" }
        #expect((1...20).contains(refusalCount) && bucket.requests.count == 20 + refusalCount)
        #expect(pipeline.ledger.totals[.failed, default: 0] == refusalCount * PrivateBucket.refusal.count)
    }

    @Test func `tokens that are refused again are not tried for ever`() async throws {
        let user = SignedInUser(["old", "older", "oldest"])
        let pipeline = try pipeline(user, retries: RetryPolicy())
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: Self.object) }
        #expect(error?.status == 403)
        #expect(bucket.requests.map { $0.headers["Authorization"] } == ["Firebase old", "Firebase older"])
    }

    @Test func `the same tokens are not sent twice`() async throws {
        let pipeline = try pipeline(SignedInUser(["only"]))
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: Self.object) }
        #expect(error?.status == 403 && bucket.requests.count == 1)
    }

    @Test func `other addresses and download tokens get none`() async throws {
        let user = SignedInUser(["one"], appCheck: "app")
        let pipeline = try pipeline(user)
        let elsewhere = ImageReference(.url(fakeURL("http://elsewhere.test/o/f/0")))
        let opened = ImageReference(.object(bucket: "b", name: "o/f/0"), generation: 1, token: "download")
        for image in [elsewhere, opened] { _ = try? await pipeline.image(for: image) }
        #expect(bucket.requests.count == 2 && user.askedCount == 0)
        #expect(
            bucket.requests.allSatisfy {
                $0.headers["Authorization"] == nil && $0.headers["X-Firebase-AppCheck"] == nil
            }
        )
    }

    @Test func `a provider that fails is an error of its own, and a known image is shown`() async throws {
        let user = SignedInUser(["one"])
        bucket.accept("one")
        let whole = ImageReference(.object(bucket: "b", name: "o/f/0"))
        let pipeline = try pipeline(user)
        let image = try await pipeline.image(for: whole)
        user.signOut()
        #expect(try await pipeline.image(for: whole) == image)
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: Self.object) }
        #expect(error?.code == .credentialsMissing && error?.cause is SignedInUser.NobodyIsSignedIn)
    }

    @Test func `tokens are in no file, no key and no message`() async throws {
        let user = SignedInUser(["secret-id-token"], appCheck: "secret-app-token")
        bucket.accept("secret-id-token")
        let pipeline = try pipeline(user)
        for (_, image) in Self.loads { _ = try await pipeline.image(for: image) }
        bucket.accept("other")
        let error = await #expect(throws: FeedError.self) {
            try await pipeline.image(for: ImageReference(.object(bucket: "b", name: "o/f/1")))
        }
        var texts = await pipeline.memoryKeys + ["\(error as Any)", String(reflecting: error)]
        let credentials = FirebaseCredentials(idToken: "secret-id-token", appCheckToken: "secret-app-token")
        var dumped = ""
        dump(credentials, to: &dumped)
        texts += ["\(credentials)", String(reflecting: credentials), dumped]
        #expect(texts.allSatisfy { !$0.contains("secret") })
        let files =
            FileManager.default.enumerator(at: directory.url, includingPropertiesForKeys: nil)?.allObjects as? [URL]
        for file in try #require(files) {
            #expect(!file.lastPathComponent.contains("secret"))
            #expect((try? Data(contentsOf: file))?.range(of: Data("secret".utf8)) == nil)
        }
    }

    @Test func `documents and uploads carry them, too`() async throws {
        let user = SignedInUser(["old", "new"])
        let firestore = StubTransport { TransportResponse(status: 403, body: Data("no".utf8)) }
        let ledger = ByteLedger()
        let repository = FeedRepository(
            endpoint: FakeFeed.endpoint,
            transport: firestore,
            ledger: ledger,
            credentials: user
        )
        await #expect(throws: FeedError.self) { try await repository.page(sort: .popular, number: 0, size: 2) }
        #expect(firestore.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(ledger.totals[.failed, default: 0] == 4)

        let storage = StubTransport(#"{"generation":"7"}"#)
        let uploader = ImageUploader(
            storage: FakeFeed.endpoint.storage,
            transport: storage,
            pipeline: nil,
            credentials: user
        )
        _ = try await uploader.upload(
            picture(9),
            contentType: "image/jpeg",
            bucket: "b",
            owner: "o",
            feed: "f",
            index: 0
        )
        #expect(storage.requests.map { $0.headers["Authorization"] } == ["Firebase new"])
        #expect(storage.requests.map { $0.headers["Content-Type"] } == ["image/jpeg"])
    }
}

/// Objects for the bearers of one ID token.
private final class PrivateBucket: HTTPTransport {
    static let refusal = Data(#"{"error":{"code":403,"message":"Permission denied."}}"#.utf8)

    let objects = FakeObjects(
        Dictionary(
            uniqueKeysWithValues: ((0..<20).map { "o/f/\($0)" } + ["o/f/0_20x20"]).map { name in
                (name, FakeObjects.Object(data: picture(name == "o/f/0" ? 300_000 : 100)))
            }
        )
    )
    private let accepted = Locked<(token: String, status: Int)>(("", 403))
    private let sent = Locked<[TransportRequest]>([])

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func accept(_ token: String, otherwise status: Int = 403) { accepted.withLock { $0 = (token, status) } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        let (token, status) = accepted.withLock { $0 }
        guard request.headers["Authorization"] == "Firebase \(token)" else {
            return TransportResponse(status: status, body: Self.refusal)
        }
        return try await objects.send(request)
    }
}

/// Has one token after the other, of which each refresh takes the next; the last stays.
private final class SignedInUser: FirebaseCredentialProvider {
    struct NobodyIsSignedIn: Error {}

    private let tokens: Locked<[String]>
    private let appCheck: String?
    private let counts = Locked((asked: 0, refreshed: 0))

    init(_ tokens: [String], appCheck: String? = nil) {
        self.tokens = Locked(tokens)
        self.appCheck = appCheck
    }

    var askedCount: Int { counts.withLock { $0.asked } }
    var refreshCount: Int { counts.withLock { $0.refreshed } }

    func signOut() { tokens.withLock { $0 = [] } }

    func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials {
        counts.withLock { counts in
            counts.asked += 1
            if forcingRefresh { counts.refreshed += 1 }
        }
        await Task.yield()
        let token = tokens.withLock { tokens in
            if forcingRefresh, tokens.count > 1 { tokens.removeFirst() }
            return tokens.first
        }
        guard let token else { throw NobodyIsSignedIn() }
        return FirebaseCredentials(idToken: token, appCheckToken: appCheck)
    }
}
