// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

struct FeedImagePathTests {
    @Test(arguments: [
        ("u1/p1/0", FeedImagePath(owner: "u1", feed: "p1", index: 0)),
        ("u1/p1/12", FeedImagePath(owner: "u1", feed: "p1", index: 12)),
        ("u1/p1/0.jpg", FeedImagePath(owner: "u1", feed: "p1", index: 0)),
        ("u1/p1/3.tar.gz", FeedImagePath(owner: "u1", feed: "p1", index: 3)),
        ("\u{e9} 1/p.1/7", FeedImagePath(owner: "\u{e9} 1", feed: "p.1", index: 7)),
        ("", nil),
        ("0", nil),
        ("u1/0", nil),
        ("u1/p1/", nil),
        ("u1/p1/.jpg", nil),
        ("u1/p1/a", nil),
        ("u1/p1/-1", nil),
        ("u1/p1/+1", nil),
        ("u1/p1/1a", nil),
        ("u1/p1/0_200x200.jpg", FeedImagePath(owner: "u1", feed: "p1", index: 0)),
        ("u1/p1/thumbs/3_64x64", FeedImagePath(owner: "u1", feed: "p1", index: 3)),
        ("u1/p1/thumbs/3", nil),
        ("u1/p1/a/b/3_64x64", nil),
        ("u1/p1/0_200.jpg", nil),
        ("u1/p1/0_200x.jpg", nil),
        ("u1/p1/0_200x200x200.jpg", nil),
        ("u1/p1/a_200x200.jpg", nil),
        ("u1//thumbs/3_64x64", nil),
        ("u1/p1/\u{661}", nil),
        ("u1/p1/2147483647", FeedImagePath(owner: "u1", feed: "p1", index: 2_147_483_647)),
        ("u1/p1/2147483648", nil),
        ("albums/harbor/1795165200400.jpg", nil),
        ("u1/p1/99999999999999999999", nil),
        ("/p1/0", nil),
        ("u1//0", nil),
        ("/u1/p1/0", nil),
        ("u1/p1/0/", nil),
        ("images/u1/p1/0", nil),
    ])
    func `reads names of the form owner, feed, number`(_ name: String, _ path: FeedImagePath?) {
        #expect(FeedImagePath(objectName: name) == path)
    }

    @Test(arguments: [
        ("u1/p1/0", ImageVariant.thumbnail), ("u1/p1/0.jpg", .thumbnail), ("u1/p1/4", .full),
        ("u1/p1/0_200x200.jpg", .resized), ("u1/p1/thumbs/2_64x64.webp", .resized), ("photo_200x200.png", .resized),
        ("a/b/c/d/photo.v2_1x1.jpeg", .resized), ("photo.png", nil), ("u1/p1/cover", nil), ("", nil),
        ("_1x1", .resized),
    ])
    func `tells which form of an image it is`(_ name: String, _ variant: ImageVariant?) {
        #expect(ImageVariant(objectName: name) == variant)
    }

    @Test func `names the object it was read from`() throws {
        let path = try #require(FeedImagePath(objectName: "u1/p1/3"))
        #expect(path.objectName == "u1/p1/3")
    }
}
