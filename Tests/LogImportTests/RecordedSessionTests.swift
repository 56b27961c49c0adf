// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog
import Testing

@testable import LogImport

struct RecordedSessionTests {
    /// Two posts of two images each, read and listed by a user.
    static func twoPosts(by user: String? = "ann") -> RecordedLog {
        var log = RecordedLog()
        log.document("posts/alpha")
        log.document("posts/beta")
        log.list("posts", ["posts/alpha", "posts/beta"], by: user, at: 0)
        return log
    }

    @Test func `a list with its thumbnails is a view, and further images open a post`() throws {
        var log = Self.twoPosts()
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.download("posts/beta/0.jpg", by: "ann", at: 0.2)
        log.download("posts/beta/1.jpg", by: "ann", at: 5)
        log.download("posts/beta/1.jpg", by: "ann", at: 60)
        let inferred = try log.session()
        #expect(
            inferred.views == [
                "0 ann lists page 0 posts/alpha posts/beta", "5 ann opens posts/beta", "60 ann opens posts/beta",
            ]
        )
        #expect(inferred.layouts == ["posts: posts/{id}/{n}.jpg"])
        #expect(
            inferred.images == [
                "posts/alpha 0 posts/alpha/0.jpg", "posts/beta 0 posts/beta/0.jpg", "posts/beta 1 posts/beta/1.jpg",
            ]
        )
    }

    @Test func `a list that loads all images opens nothing by them, but a document that is read does`() throws {
        var log = Self.twoPosts()
        for post in ["alpha", "beta"] { for n in 0...1 { log.download("posts/\(post)/\(n).jpg", by: "ann", at: 0.1) } }
        log.read("posts/alpha", by: "ann", at: 9)
        #expect(try log.session().views == ["0 ann lists page 0 posts/alpha posts/beta", "9 ann opens posts/alpha"])
    }

    @Test func `without a hint some posts are taken for opened where lists load all images`() throws {
        var log = Self.twoPosts()
        for post in ["alpha", "beta"] { for n in 0...1 { log.download("posts/\(post)/\(n).jpg", by: "ann", at: 0.1) } }
        var rules = InferenceRules()
        rules.openedPercent = 100
        let inferred = try log.session(rules: rules)
        #expect(inferred.views.dropFirst() == ["0 ann opens posts/alpha", "0 ann opens posts/beta"])
        #expect(inferred.session.header.imported?.assumptions.contains { $0.contains("100 % of them") } == true)
    }

    @Test func `an image asked for without a token is for the user who read its document`() throws {
        var log = Self.twoPosts(by: "ann")
        log.list("posts", ["posts/beta"], by: "vic", at: 1)
        log.download("posts/alpha/0.jpg", by: nil, at: 1.1)
        log.download("posts/beta/0.jpg", by: nil, at: 1.2)
        #expect(try log.session().views == ["0 ann lists page 0 posts/alpha", "1 vic lists page 0 posts/beta"])
    }

    @Test func `an app that names its screens by tags is one user`() throws {
        var log = Self.twoPosts(by: nil)
        log.tag = "feed"
        log.download("posts/alpha/0.jpg", by: nil, at: 0.1)
        log.download("posts/beta/0.jpg", by: nil, at: 0.2)
        log.tag = "detail"
        log.read("posts/beta", by: nil, at: 5)
        log.download("posts/beta/1.jpg", by: nil, at: 5.1)
        #expect(
            try log.session().views == [
                "0 firestore sdk lists page 0 posts/alpha posts/beta", "5 firestore sdk opens posts/beta",
            ]
        )
    }

    @Test(arguments: [("feed", "feed (posts)"), ("other", "posts")])
    func `a list is named by the tag that most of its images have`(_ tag: String, _ name: String) throws {
        var log = Self.twoPosts()
        log.tag = "feed"
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.tag = tag
        log.download("posts/beta/0.jpg", by: "ann", at: 0.2)
        log.tag = "detail"
        for second in 5...8 { log.download("posts/beta/1.jpg", by: "ann", at: Double(second)) }
        let inferred = try log.session()
        #expect(inferred.downloads.contains("listed 10000 in 1 of posts/alpha/0.jpg, \(name) page 0"))
        let sentence = "a list whose images have a tag, most of them the same, is the screen of that name"
        let assumptions = inferred.session.header.imported?.assumptions ?? []
        #expect(assumptions.contains { $0.hasPrefix(sentence) } == (name != "posts"))
    }

    @Test func `an image of another tag than its list's is an opened post's`() throws {
        var log = Self.twoPosts()
        log.tag = "feed"
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.download("posts/beta/0.jpg", by: "ann", at: 0.2)
        log.tag = "detail"
        log.download("posts/beta/0.jpg", by: "ann", at: 5)
        let inferred = try log.session()
        #expect(
            inferred.views == ["0 ann lists page 0 posts/alpha posts/beta", "5 ann opens posts/beta"]
        )
        #expect(inferred.downloads.contains("again 10000 in 1 of posts/beta/0.jpg, opened"))
    }

    @Test func `a list without images has the tag of those of its query`() throws {
        var log = Self.twoPosts()
        log.tag = "feed"
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.list("posts", ["posts/beta"], ofValue: "other", by: "ann", at: 9)
        #expect(try log.session().downloads.contains("documents 2000 in 2 of list, feed (posts) page 0"))
    }

    @Test func `pages count on, another list begins at its first, and after a long pause the app was started again`()
        throws
    {
        var log = Self.twoPosts()
        log.list("posts", ["posts/alpha"], by: "ann", at: 10, isContinued: true)
        log.list("posts", ["posts/beta"], by: "ann", at: 20, isContinued: true)
        log.list("other", ["posts/beta"], by: "ann", at: 30)
        log.list("posts", ["posts/beta"], by: "ann", at: 4_000, isContinued: true)
        for (second, post) in [(0.1, "alpha"), (10.1, "alpha"), (20.1, "beta"), (30.1, "beta"), (4_000.1, "beta")] {
            log.download("posts/\(post)/0.jpg", by: "ann", at: second)
        }
        #expect(
            try log.session().views == [
                "0 ann lists page 0 posts/alpha", "10 ann lists page 1 posts/alpha", "20 ann lists page 2 posts/beta",
                "30 ann lists page 0 posts/beta", "4000 ann relaunch", "4000 ann lists page 0 posts/beta",
            ]
        )
    }

    @Test func `an app that keeps images showed those that it did not load again`() throws {
        var log = Self.twoPosts()
        for post in ["alpha", "beta"] { log.download("posts/\(post)/0.jpg", by: "ann", at: 0.1) }
        log.list("posts", ["posts/alpha", "posts/beta"], by: "ann", at: 100)
        #expect(try log.session().views.last == "100 ann lists page 0 posts/alpha posts/beta")
    }

    @Test(
        arguments: [
            (["cover": ["gs://b/x/77.jpg"]], "x/77.jpg", "posts: {cover}"),
            (["cover": ["https://h/v0/b/b/o/x%2F77.jpg?alt=media&token=t"]], "x/77.jpg", "posts: {cover}"),
            (["photo": ["k9f3"]], "images/k9f3_2.webp", "posts: images/{photo}_{n}.webp"),
            (["owner": ["ann7"], "feed": ["f-88"]], "ann7/f-88/0", "posts: {owner}/{feed}/{n}"),
            (["size": ["12"]], "posts/alpha/12.jpg", "posts: posts/{id}/{n}.jpg"),
            ([:], "v2/alpha/200x300/1.jpg", "posts: v{#}/{id}/{#}x{#}/{n}.jpg"),
        ] as [([String: [String]], String, String)]
    )
    func `finds out how names follow from documents`(fields: [String: [String]], object: String, layout: String) throws
    {
        var log = RecordedLog()
        log.document("posts/alpha", fields: fields)
        log.list("posts", ["posts/alpha"], by: "ann", at: 0)
        log.download(object, by: "ann", at: 0.1)
        let inferred = try log.session()
        #expect(inferred.layouts == [layout])
        #expect(inferred.images == ["posts/alpha 0 \(object)"])
        #expect(try log.session(layouts: [ImageLayout(layout)]).images == inferred.images)
    }

    @Test func `images stand in the order of the document's list`() throws {
        var log = RecordedLog()
        log.document("posts/alpha", fields: ["photos[]": ["z.jpg", "a.jpg"]])
        log.list("posts", ["posts/alpha"], by: "ann", at: 0)
        for object in ["a.jpg", "z.jpg"] { log.download(object, by: "ann", at: 0.1) }
        #expect(try log.session().images == ["posts/alpha 0 z.jpg", "posts/alpha 1 a.jpg"])
    }

    @Test func `what several documents have in common is no image of theirs, unless it is stated`() throws {
        var log = RecordedLog()
        for post in ["alpha", "beta", "gamma"] { log.document("posts/\(post)", fields: ["author": ["ann7"]]) }
        log.list("posts", ["posts/alpha", "posts/beta", "posts/gamma"], by: "ann", at: 0)
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.download("faces/ann7.png", by: "ann", at: 0.2)
        #expect(try log.session().images == ["posts/alpha 0 posts/alpha/0.jpg"])
        let stated = try log.session(layouts: [ImageLayout("posts: faces/{author}.png")])
        #expect(stated.images == ["alpha", "beta", "gamma"].map { "posts/\($0) 0 faces/ann7.png" })
    }

    @Test func `where no name follows from a document each object is a post of its own`() throws {
        var log = RecordedLog()
        for second in [0, 1] { log.download("x.bin", by: "ann", at: Double(second)) }
        log.download("y.bin", by: "ann", at: 1.1)
        #expect(try log.session().views == ["0 ann shows b/x.bin", "1 ann shows b/x.bin b/y.bin"])
    }

    @Test func `what views do not explain is kept, and a request that was taken back counts once`() throws {
        var log = Self.twoPosts()
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.amendLast(sent: 4_000)
        log.upload("new.jpg", at: 1)
        log.download("faces/zoe.png", by: "zoe", at: 2)
        log.list("posts", ["posts/alpha"], by: "ann", at: 3, isPart: true)
        let inferred = try log.session()
        let usage = try #require(inferred.usage)
        #expect(usage.total[.storage]?.sent.body == 14_500)
        #expect(usage.total[.storage]?.requests == 3)
        #expect(usage.other[.storage]?.sent.body == 10_500)
        #expect(usage.total[.firestore]?.billed.documentReads == 3)
        #expect(usage.other[.firestore] == UsageTotals.zero)
        #expect(inferred.views.count == 2)
        #expect(inferred.session.header.imported?.explained?.readPercent == 100)
    }

    @Test func `a log with views of its own is left as it is`() throws {
        let log = RecordedLog()
        #expect(try log.session().usage == nil)
    }
}
