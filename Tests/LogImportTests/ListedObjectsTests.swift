// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog
import Testing

@testable import LogImport

/// Listings of objects as lists, for apps without documents.
struct ListedObjectsTests {
    @Test(
        arguments: [
            ("", false, "a/1.jpg", true), ("", true, "a/1.jpg", false), ("", true, "1.jpg", true),
            ("a/", true, "a/1.jpg", true), ("a/", true, "a/b/1.jpg", false), ("a/", false, "a/b/1.jpg", true),
            ("a/", true, "ab/1.jpg", false), ("a/i", true, "a/i1.jpg", true),
        ]
    )
    func `a listing has the names with its prefix, with a delimiter those without a further slash`(
        prefix: String,
        hasDelimiter: Bool,
        name: String,
        isListed: Bool
    ) {
        let names = ListedNames(bucket: "b", prefix: prefix, hasDelimiter: hasDelimiter)
        #expect(names.has(LoggedActivity.Object(bucket: "b", name: name)) == isListed)
        #expect(!names.has(LoggedActivity.Object(bucket: "c", name: name)))
    }

    /// Lists the folders, then each of them, and loads what is in it.
    private static func albums(by user: String? = "ann") -> RecordedLog {
        var log = RecordedLog()
        log.objects(under: "albums/", by: user, at: 0)
        for (album, second) in [("x", 1.0), ("y", 10)] {
            log.objects(under: "albums/\(album)/", by: user, at: second)
            for name in ["sea", "sky"] { log.download("albums/\(album)/\(name).jpg", by: user, at: second + 0.1) }
        }
        return log
    }

    @Test func `each page of a listing is a list with the images that were loaded from it`() throws {
        var log = Self.albums()
        log.objects(under: "albums/y/", by: "ann", at: 20, isContinued: true)
        log.download("albums/y/sun.jpg", by: "ann", at: 20.1)
        log.download("logo.png", by: "ann", at: 21)
        let inferred = try log.session()
        #expect(
            inferred.views == [
                "0 ann lists page 0", "1 ann lists page 0 b/albums/x/sea.jpg b/albums/x/sky.jpg",
                "10 ann lists page 0 b/albums/y/sea.jpg b/albums/y/sky.jpg",
                "20 ann lists page 1 b/albums/y/sun.jpg", "21 ann shows b/logo.png",
            ]
        )
        let lists = inferred.session.views.compactMap { view in
            if case .showPosts(let shown) = view.action { shown.list } else { nil }
        }
        #expect(lists.allSatisfy { $0.isOfObjects && $0.name == "objects of b under a prefix" })
        #expect(lists.allSatisfy { $0.byteCount == 700 && $0.documentReads == 0 })
        #expect(Set(lists.map(\.key)).count == 3)
    }

    @Test func `a listing's bytes and its operation are explained, in Cloud Storage`() throws {
        var log = Self.albums()
        log.objects(under: "albums/x/", by: "ann", at: 30, status: 403)
        let inferred = try log.session()
        let usage = try #require(inferred.usage)
        #expect(usage.total[.storage]?.billed.classA == 4)
        #expect(usage.other[.storage]?.billed == BilledUsage(egressBytes: 700, classA: 1))
        #expect(usage.other[.storage]?.requests == 1)
        #expect(usage.other[.firestore] == nil)
        #expect(inferred.session.views.count == 3, "a listing that failed shows nothing")
        let explained = try #require(inferred.session.header.imported?.explained)
        #expect(explained.bytePercent == 100.0 * 42_100 / 42_800)
        #expect(inferred.session.header.imported?.assumptions.contains { $0.contains("listing of objects") } == true)
    }

    @Test func `a listing that was taken back counts once`() throws {
        var log = Self.albums()
        log.objects(under: "albums/z/", by: "ann", at: 30)
        log.amendLast(sent: 500)
        let inferred = try log.session()
        #expect(inferred.usage?.other[.storage]?.sent.body == 0)
        #expect(inferred.usage?.total[.storage]?.sent.body == 42_600)
        #expect(inferred.views.filter { $0.hasPrefix("30 ") } == ["30 ann lists page 0"])
    }

    @Test func `an app that keeps images shows those of the page that it did not load again`() throws {
        var log = Self.albums()
        for second in [100.0, 200] { log.objects(under: "albums/x/", by: "ann", at: second) }
        #expect(try log.session().views.last == "200 ann lists page 0 b/albums/x/sea.jpg b/albums/x/sky.jpg")
    }

    @Test func `an image that a loader asks for is for the user who last listed its folder`() throws {
        var log = RecordedLog()
        for (user, second) in [("ann", 0.0), ("vic", 1)] { log.objects(under: "\(user)/", by: user, at: second) }
        log.download("ann/sea.jpg", by: nil, at: 2)
        log.objects(under: "ann/", by: "vic", at: 3)
        log.download("ann/sea.jpg", by: nil, at: 3.1)
        #expect(
            try log.session().views == [
                "0 ann lists page 0 b/ann/sea.jpg", "1 vic lists page 0", "3 vic lists page 0 b/ann/sea.jpg",
            ]
        )
    }

    @Test func `a listing in an app with documents is a list beside the others`() throws {
        var log = RecordedSessionTests.twoPosts()
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.objects(under: "posts/beta/", by: "ann", at: 9)
        log.download("posts/beta/0.jpg", by: "ann", at: 9.1)
        log.objects(under: "album/", by: "ann", at: 20)
        log.download("album/sea.png", by: "ann", at: 20.1)
        log.download("faces/zoe.png", by: "ann", at: 21)
        let inferred = try log.session()
        #expect(
            inferred.views == [
                "0 ann lists page 0 posts/alpha", "9 ann lists page 0 posts/beta",
                "20 ann lists page 0 b/album/sea.png",
            ]
        )
        #expect(inferred.layouts == ["posts: posts/{id}/{n}.jpg"])
        #expect(inferred.usage?.other[.storage]?.sent.body == 10_000, "what follows from neither is no view")
    }
}
