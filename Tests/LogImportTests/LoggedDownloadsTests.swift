// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog
import Testing

@testable import LogImport

struct LoggedDownloadsTests {
    private struct Download {
        var client = "a"
        let seconds: Double
        let image: String
        var bytes: Int64 = 100
        var status = 200
        var server = LoggedRequest.Server.storage
    }

    private static func infer(_ downloads: [Download]) throws -> LoggedDownloads {
        var inference = LoggedDownloads()
        for download in downloads {
            var text = RequestText()
            let (client, object) = (text.append(download.client), text.append(download.image))
            try text.withRequest { request in
                request.time = Int64(download.seconds * 1_000_000)
                request.operation = .download
                request.status = download.status
                request.byteCount = download.bytes
                request.server = download.server
                request.hasHost = download.server == .storage
                request.object = object
                request.setClient(address: client)
                try inference.take(request)
            }
        }
        return inference
    }

    private static func session(
        _ downloads: [Download],
        layouts: [ImageLayout] = [],
        openedPercent: Int = 10
    ) throws -> SessionLog? {
        var rules = InferenceRules()
        rules.openedPercent = openedPercent
        return try infer(downloads).session(layouts: layouts, rules: rules).map { try SessionSource($0).whole() }
    }

    private static func steps(_ downloads: [Download], openedPercent: Int = 10) throws -> [String] {
        try session(downloads, openedPercent: openedPercent)?.views.map { view in
            let action =
                switch view.action {
                case .showPosts(let shown): "shows " + shown.posts.joined(separator: " ")
                case .openPost(_, let post): "opens \(post)"
                default: view.action.kind.rawValue
                }
            return "\(view.atMilliseconds) \(view.client) \(action)"
        } ?? []
    }

    /// The images of posts: `u/p 0 u/p/0`.
    private static func images(_ names: [String], layouts: [ImageLayout] = []) throws -> [String] {
        let downloads = names.enumerated().map { Download(seconds: Double($0.offset), image: $0.element) }
        return try session(downloads, layouts: layouts)?.images.map { image in
            "\(image.place?.post ?? "-") \(image.place?.index ?? -1) \(image.object)"
        } ?? []
    }

    @Test func `downloads that follow each other are one view, and further images an opened post`() throws {
        let steps = try Self.steps([
            Download(seconds: 10, image: "u/p/0"), Download(seconds: 10.5, image: "u/q/0"),
            Download(client: "b", seconds: 11, image: "u/p/0"),
            Download(seconds: 20, image: "u/q/1"), Download(seconds: 21, image: "u/q/2"),
            Download(seconds: 30, image: "u/r/0"),
        ])
        #expect(
            steps == [
                "0 c1 shows u/p u/q", "1000 c2 shows u/p", "10000 c1 opens u/q", "20000 c1 shows u/r",
            ]
        )
    }

    @Test func `lists that load everything do not tell which posts were opened`() throws {
        let view = ["u/p/0", "u/p/1", "u/q/0", "u/q/1", "u/q/2"].map { Download(seconds: 1, image: $0) }
        let again = view.map { Download(seconds: 60, image: $0.image) }
        #expect(try Self.steps(view, openedPercent: 0) == ["0 c1 shows u/p u/q"])
        // Who sees a post again does not open it again.
        #expect(
            try Self.steps(view + again, openedPercent: 100) == [
                "0 c1 shows u/p u/q", "0 c1 opens u/p", "0 c1 opens u/q", "59000 c1 shows u/p u/q",
            ]
        )
    }

    @Test func `after more than 25.5 minutes the app was started again`() throws {
        let steps = try Self.steps([
            Download(seconds: 0, image: "u/p/0"), Download(seconds: 1_530, image: "u/p/1"),
            Download(seconds: 3_061, image: "u/p/1"),
        ])
        #expect(
            steps == [
                "0 c1 shows u/p", "1530000 c1 opens u/p", "3061000 c1 relaunch", "3061000 c1 shows u/p",
                "3061000 c1 opens u/p",
            ]
        )
    }

    @Test func `the largest answer is the image, and what is none is passed over`() throws {
        let inference = try Self.infer([
            Download(seconds: 0, image: "u/p/0", bytes: 70, status: 206),
            Download(seconds: 1, image: "u/p/0", bytes: 100),
            Download(seconds: 2, image: "u/p/0", bytes: 0, status: 304),
            Download(seconds: 4, image: "u/p/1", status: 404),
            Download(seconds: 5, image: "index.html", server: .files),
            Download(seconds: 6, image: "u/p/2", server: .otherHost),
        ])
        let session = try #require(try inference.session())
        #expect(session.images.map(\.object) == ["u/p/0"] && session.images.map(\.byteCount) == [100])
        #expect(inference.passedOver == .init(otherHostCount: 1, duplicateCount: 0, otherCount: 2))
        #expect(session.header.imported?.downloadCount == 3)
        #expect(session.header.imported?.byteCount == 170)
        // A refusal and a page are sums of the log, too, and belong to no view.
        #expect(session.usage.total[.storage]?.requests == 5)
        #expect(session.usage.total[.storage]?.sent.body == 370)
        #expect(session.usage.other[.storage]?.sent.body == 200)
    }

    @Test func `without a download there is no session`() throws {
        #expect(try Self.infer([]).session() == nil)
        #expect(try Self.infer([Download(seconds: 0, image: "index.html", server: .files)]).session() == nil)
    }

    @Test(
        arguments: [
            (
                ["users/u1/photo_1.jpg", "users/u1/photo_0.jpg"],
                ["users/u1/photo_{n}.jpg 1", "users/u1/photo_{n}.jpg 0"]
            ),
            // Numbers that are ids, or times, distinguish posts.
            (["img/1042.jpg", "img/1043.jpg"], ["img/1042.jpg 0", "img/1043.jpg 0"]),
            (["img/7.jpg", "img/90.jpg"], ["img/7.jpg 0", "img/90.jpg 0"]),
            (["a.png", "b.png"], ["a.png 0", "b.png 0"]),
            (["p/0.jpg", "p/0_200x200.jpg"], ["p/{n}.jpg 0"]),
        ] as [([String], [String])]
    )
    func `images that a small number distinguishes are of one post`(names: [String], places: [String]) throws {
        #expect(try Self.images(names).map { $0.split(separator: " ").dropLast().joined(separator: " ") } == places)
    }

    @Test func `a layout says which images are of one post`() throws {
        let images = try Self.images(
            ["shots/9/front.jpg", "shots/9/back.jpg"],
            layouts: [ImageLayout("shots: shots/{id}/{side}.jpg"), ImageLayout("shots/{id}/x{n}.jpg")]
        )
        #expect(images == ["9/front 0 shots/9/front.jpg", "9/back 0 shots/9/back.jpg"])
    }

    @Test func `the order of the lines does not matter`() throws {
        let downloads = [
            Download(seconds: 10, image: "u/p/0"), Download(seconds: 10.5, image: "u/q/0"),
            Download(seconds: 20, image: "u/q/1"),
        ]
        #expect(try Self.steps(downloads.reversed()) == Self.steps(downloads))
    }
}
