// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

@testable import LogImport

struct ViewInferenceTests {
    private struct Download {
        var client = "a"
        let seconds: Double
        let image: String
        var bytes: Int64 = 100
        var status = 200
    }

    private static func infer(_ downloads: [Download], openedPercent: Int = 10) -> ViewInference {
        var rules = InferenceRules()
        rules.openedPercent = openedPercent
        var inference = ViewInference(rules)
        for download in downloads {
            var text = RequestText()
            let (client, object) = (text.append(download.client), text.append(download.image))
            text.withRequest { request in
                request.time = Int64(download.seconds * 1_000_000)
                request.operation = .download
                request.status = download.status
                request.byteCount = download.bytes
                (request.address, request.object) = (client, object)
                inference.take(request)
            }
        }
        return inference
    }

    private static func steps(_ downloads: [Download], openedPercent: Int = 10) -> [String] {
        infer(downloads, openedPercent: openedPercent).session()?.views.map { view in
            let action =
                switch view.action {
                case .showPosts(let shown): "shows " + shown.posts.joined(separator: " ")
                case .openPost(_, let post): "opens \(post)"
                default: view.action.kind.rawValue
                }
            return "\(view.atMilliseconds) \(view.client) \(action)"
        } ?? []
    }

    @Test func `downloads that follow each other are one view, and further images an opened post`() {
        let steps = Self.steps([
            Download(seconds: 10, image: "u/p/0"), Download(seconds: 10.5, image: "u/q/0"),
            Download(client: "b", seconds: 11, image: "u/p/0"),
            Download(seconds: 20, image: "u/q/1"), Download(seconds: 21, image: "u/q/2"),
            Download(seconds: 30, image: "u/r/0"),
        ])
        #expect(
            steps == [
                "0 c1 shows u/p u/q", "1000 c2 shows u/p", "11000 c1 opens u/q", "20000 c1 shows u/r",
            ]
        )
    }

    @Test func `lists that load everything do not tell which posts were opened`() {
        let view = ["u/p/0", "u/p/1", "u/q/0", "u/q/1", "u/q/2"].map { Download(seconds: 1, image: $0) }
        let again = view.map { Download(seconds: 60, image: $0.image) }
        #expect(Self.steps(view, openedPercent: 0) == ["0 c1 shows u/p u/q"])
        // Who sees a post again does not open it again.
        #expect(
            Self.steps(view + again, openedPercent: 100) == [
                "0 c1 shows u/p u/q", "0 c1 opens u/p", "0 c1 opens u/q", "59000 c1 shows u/p u/q",
            ]
        )
    }

    @Test func `after half an hour the app was started anew`() {
        let steps = Self.steps([
            Download(seconds: 0, image: "u/p/0"), Download(seconds: 1_800, image: "u/p/1"),
            Download(seconds: 3_700, image: "u/p/1"),
        ])
        #expect(
            steps == [
                "0 c1 shows u/p", "1800000 c1 opens u/p", "3700000 c1 relaunch", "3700000 c1 shows u/p",
                "3700000 c1 opens u/p",
            ]
        )
    }

    @Test func `the largest answer is the image, and what is none is passed over`() throws {
        let inference = Self.infer([
            Download(seconds: 0, image: "u/p/0", bytes: 70, status: 206),
            Download(seconds: 1, image: "u/p/0", bytes: 100),
            Download(seconds: 2, image: "u/p/0", bytes: 0, status: 304), Download(seconds: 3, image: "logo.png"),
            Download(seconds: 3, image: "u/p/0_200x200.jpg"),
            Download(seconds: 4, image: "u/p/1", status: 404),
        ])
        let session = try #require(inference.session())
        #expect(session.images == [SessionImage(object: "u/p/0", byteCount: 100)])
        #expect(inference.otherCount == 3)
        #expect(session.header.imported?.downloadCount == 3)
        #expect(session.header.imported?.byteCount == 170)
    }

    @Test func `without a download there is no session`() {
        #expect(Self.infer([]).session() == nil)
        #expect(Self.infer([Download(seconds: 0, image: "logo.png")]).session() == nil)
    }

    @Test func `the order of the lines does not matter`() {
        let downloads = [
            Download(seconds: 10, image: "u/p/0"), Download(seconds: 10.5, image: "u/q/0"),
            Download(seconds: 20, image: "u/q/1"),
        ]
        #expect(Self.steps(downloads.reversed()) == Self.steps(downloads))
    }
}
