// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Foundation
import PhotoRendering
import TestSupport
import Testing

struct DirectoryTests {
    private static let photo = Result {
        let renderer = PhotoRenderer(seed: 1, byteCounts: PhotoByteCounts(median: 60_000, sigma: 0))
        return try renderer.photo(of: PhotoIdentity(owner: "u", feed: "p", index: 0)).bytes
    }

    private static func folder(_ names: [String]) throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        for name in names { try folder.write(photo.get(), to: name) }
        return folder
    }

    @Test func `derives posts from folders`() throws {
        let folder = try Self.folder([
            "bo/p2/0", "al/x/0.jpg", "al/x/1.JPG", "al/a/00.jpeg", "README.md", "al/x/.hidden",
        ])
        let feed = try FeedDataSet.load(folder.path)
        #expect(feed.users.map(\.id) == ["al", "bo"])
        #expect(feed.posts.map(\.documentID) == ["a", "x", "p2"])
        #expect(feed.posts.map(\.owner) == ["al", "al", "bo"])
        #expect(feed.posts.map(\.title) == ["a", "x", "p2"])
        #expect(feed.posts.map(\.imageCount) == [1, 2, 1])
        #expect(feed.posts.map(\.createdAt.rfc3339).first == "2026-11-20T12:00:00Z")
        #expect(feed.posts.map(\.createdAt) == feed.posts.map(\.createdAt).sorted(by: >))
        #expect(feed.posts.allSatisfy { (0...5_000).contains($0.likes) })
        let image = try feed.image(of: feed.posts[1], at: 1)
        #expect(try image.bytes == Self.photo.get())
        #expect(image.contentType == "image/jpeg")
        for post in feed.posts { try feed.verifyImages(of: post) }
    }

    @Test func `keeps posts of the same name apart by their owners`() throws {
        let folder = try Self.folder(["al/1/0", "bo/1/0", "bo/2/0"])
        let feed = try FeedDataSet.load(folder.path)
        #expect(feed.posts.map(\.id) == ["1", "1", "2"])
        #expect(feed.posts.map(\.documentID) == ["al_1", "bo_1", "2"])
    }

    @Test(arguments: [
        (["al/p/0", "al/p/2"], "al/p/1: missing; the post's 2 images are numbered from 0 without gaps"),
        (["al/p/1.jpg"], "al/p/0: missing"),
        (["al/p/0", "al/p/notes.txt"], "al/p/notes.txt: not an image's number"),
        (["al/p/0.jpg", "al/p/0.png"], "al/p/0.png: has the same number as 0.jpg"),
        (["al/__p__/0"], "al/__p__: this folder's name cannot be an id"),
        (["al/p/0/0"], "al/p/0: not an image's number"),
        (["0.jpg"], ": holds neither a feed.json nor images"),
        ([], ": holds neither a feed.json nor images"),
    ])
    func `refuses a folder`(_ names: [String], _ message: String) throws {
        let folder = try Self.folder(names)
        let path = folder.path
        let error = try #require(throws: FeedDataSetError.self) { try FeedDataSet.load(path) }
        #expect(error.message.hasPrefix(path + (message.hasPrefix(":") ? "" : "/") + message))
    }

    @Test(arguments: ["al", "al/p"]) func `refuses an empty folder`(_ name: String) throws {
        let folder = TemporaryDirectory()
        try folder.makeFolder(name)
        let path = folder.path
        let error = try #require(throws: FeedDataSetError.self) { try FeedDataSet.load(path) }
        #expect(error.message.hasPrefix("\(path)/\(name): the folder is empty"))
    }

    @Test(arguments: ["al/p/0", "feed.json", ""])
    func `names what is neither a file nor a folder`(_ name: String) throws {
        let folder = TemporaryDirectory()
        try folder.makeFolder("al/p")
        let path = name.isEmpty ? folder.path + "/pipe" : "\(folder.path)/\(name)"
        #expect(mkfifo(path, 0o600) == 0)
        let seed = name.isEmpty ? path : folder.path
        let error = try #require(throws: FeedDataSetError.self) { try FeedDataSet.load(seed) }
        #expect(error.message == "\(path): not a regular file; give a file, or a link to one")
    }

    @Test func `names a pipe that took an image's place since`() throws {
        let folder = try Self.folder(["al/p/0"])
        let feed = try FeedDataSet.load(folder.path)
        let path = "\(folder.path)/al/p/0"
        #expect(unlink(path) == 0)
        #expect(mkfifo(path, 0o600) == 0)
        let error = try #require(throws: FeedDataSetError.self) { try feed.verifyImages(of: feed.posts[0]) }
        #expect(error.message.hasPrefix("\(path): not a regular file"))
    }

    @Test func `takes a link to an image`() throws {
        let folder = try Self.folder(["al/p/0"])
        let original = "\(folder.path)/original"
        #expect(rename("\(folder.path)/al/p/0", original) == 0)
        #expect(symlink(original, "\(folder.path)/al/p/0") == 0)
        let feed = try FeedDataSet.load(folder.path)
        #expect(try feed.image(of: feed.posts[0], at: 0).bytes == Self.photo.get())
    }

    @Test func `names a file that is no image or is cut short`() throws {
        let folder = try Self.folder(["al/p/0"])
        try folder.write(Array("hello, world".utf8), to: "al/p/1.jpg")
        try folder.write(Self.photo.get().dropLast(1_000), to: "al/p/2.jpg")
        let feed = try FeedDataSet.load(folder.path)
        let unknown = try #require(throws: FeedDataSetError.self) { try feed.image(of: feed.posts[0], at: 1) }
        #expect(unknown.message.hasPrefix("\(folder.path)/al/p/1.jpg: not an image of a known format"))
        let truncated = try #require(throws: FeedDataSetError.self) { try feed.image(of: feed.posts[0], at: 2) }
        #expect(truncated.code == .imageUnusable)
        #expect(truncated.message.hasPrefix("\(folder.path)/al/p/2.jpg: truncated JPEG file"))
        #expect(throws: unknown) { try feed.verifyImages(of: feed.posts[0]) }
    }

    @Test func `a description's images may be files beside it`() throws {
        let folder = try Self.folder(["images/u1/p1/0.jpg", "images/u1/p1/1.jpg", "images/u2/p2/0", "images/u2/p2/1"])
        let file = DescriptionFile("images", #"{"directory": "images"}"#)
        try folder.write(Array(file.json.utf8), to: "feed.json")
        let feed = try FeedDataSet.load(folder.path + "/feed.json")
        #expect(try feed.image(of: feed.posts[1], at: 1).bytes == Self.photo.get())
    }

    @Test func `a description's images must all be there`() throws {
        let folder = try Self.folder(["images/u1/p1/0.jpg", "images/u1/p1/1.jpg", "images/u2/p2/0"])
        let file = DescriptionFile("images", #"{"directory": "images"}"#)
        try folder.write(Array(file.json.utf8), to: "feed.json")
        let path = folder.path
        let error = try #require(throws: FeedDataSetError.self) { try FeedDataSet.load(path) }
        #expect(error.code == .imageNotFound)
        #expect(error.message.hasPrefix("\(path)/images/u2/p2/1: missing"))
    }
}
