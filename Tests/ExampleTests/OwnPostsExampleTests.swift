// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import Refactorings
import SessionLog
import Testing
import TinyFeed

/// The code of the article "Your own posts": documents of a served Firestore, and a server that is no Firebase.
@Suite(.timeLimit(.minutes(5))) struct OwnPostsExampleTests {
    private static func document(_ day: Int, imageCount: String) -> String {
        """
        {"fields": {"uploaderID": {"stringValue": "u1"}, "feedID": {"stringValue": "f\(day)"}, "like": {"integerValue": "3"},
         "message": {"stringValue": "Rex"}, "uploadTimestamp": {"timestampValue": "2026-11-\(day)T10:00:00Z"},
         "imageCount": \(imageCount), "imageRatio": {"doubleValue": 1.5}}}
        """
    }

    @Test func `pages of documents of an app's own, from a served Firestore`() async throws {
        let directory = try TinyFeed()
        try await Emulator(directory.configuration).run { addresses in
            let endpoint = FeedEndpoint(
                firestore: try #require(URL(string: "http://\(addresses.firestore)")),
                storage: try #require(URL(string: "http://\(addresses.storage)")),
                project: "demo-pets",
                bucket: "demo-pets.appspot.com"
            )
            let transport = URLSessionTransport()
            let root = endpoint.firestore.absoluteString + "/v1/projects/demo-pets/databases/(default)/documents"
            // The 20th is too early, the 24th has no image, the 25th is not a pet's.
            for (day, imageCount) in (20...30).map({ ($0, $0 == 24 ? "0" : "2") }) {
                let value = day == 25 ? #"{"doubleValue": 1.5}"# : #"{"integerValue": "\#(imageCount)"}"#
                let url = try #require(URL(string: "\(root)/petfeeds?documentId=d\(day)"))
                let body = Data(Self.document(day, imageCount: value).utf8)
                let response = try await transport.send(TransportRequest(method: "POST", url: url, body: body))
                #expect(response.status == 200)
            }
            let repository = FeedRepository(endpoint: endpoint, transport: transport)
            let monday = Date(timeIntervalSince1970: 1_795_219_200)
            let first = try await thisWeeksPets(repository, since: monday)
            #expect(first.posts.map(\.id) == ["d30", "d29", "d28", "d27", "d26", "d23", "d22"])
            #expect(first.skipped.map(\.path) == ["petfeeds/d25"])
            #expect(first.skipped.first?.problem.contains("a number does not fit its type") == true)
            let post = try #require(first.posts.first)
            #expect(post.fields.uploadTimestamp == Date(timeIntervalSince1970: 1_796_032_800))
            #expect(post.images.map(\.pixelHeight) == [1_500, 1_500])
            #expect(
                post.references(to: .rest, in: endpoint.bucket)
                    == [ImageReference(bucket: endpoint.bucket, owner: "u1", feed: "f30", index: 1)]
            )

            let query = FeedSection(name: "", after: try #require(first.cursor)).query
            let rest = try await repository.page(of: PetFeed.self, query, number: 1, size: 8, after: first.cursor)
            #expect(rest.posts.map(\.id) == ["d21"])
        }
    }

    @Test func `a screen of another server's posts, whose images are on a third`() async throws {
        let server = PoseServer(address: try #require(URL(string: "https://poses.test")), transport: PoseHost())
        let storage = try #require(URL(string: "https://storage.test"))
        let pipeline = try ImagePipeline(storage: storage, transport: PoseHost())
        let screen = poseScreen(server, pipeline, width: 208)
        var section = FeedSection(name: "poses", size: 2)
        var seen: [String] = []
        for _ in 0..<2 {
            for try await update in screen.updates(for: [section]) {
                switch update {
                case .laidOut(let layout):
                    seen += layout.cells.map { "\($0.id.post) \(Int($0.imageFrame.height))" }
                    if let next = layout.sections.first?.next { section = next }
                case .image(_, let data, let origin): seen.append("\(String(decoding: data, as: UTF8.self)) \(origin)")
                case .failed(_, let error): Issue.record(error)
                }
            }
        }
        #expect(seen.prefix(2) == ["1 200", "2 50"] && seen[4] == "3 100")
        #expect(Set(seen) == ["1 200", "2 50", "image 1 network", "image 2 network", "3 100", "image 3 network"])
    }
}

/// Two hosts: one lists poses, the other has their images.
private struct PoseHost: HTTPTransport {
    private static func pose(_ id: Int, _ width: Int, _ height: Int) -> String {
        #"{"poseID": \#(id), "imageURL": "https://images.test/\#(id)", "width": \#(width), "height": \#(height)}"#
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body =
            switch request.url.absoluteString {
            case "https://poses.test/poses?size=2":
                #"{"poses": [\#(Self.pose(1, 1, 2)), \#(Self.pose(2, 2, 1))], "next": "a"}"#
            case "https://poses.test/poses?size=2&after=a": #"{"poses": [\#(Self.pose(3, 1, 1))]}"#
            default: "image \(request.url.lastPathComponent)"
            }
        return TransportResponse(status: 200, body: Data(body.utf8))
    }
}
