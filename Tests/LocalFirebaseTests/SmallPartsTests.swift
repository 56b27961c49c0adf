// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalFirebase

struct SmallPartsTests {
    @Test(arguments: [
        ("/a/session.log", "/a/feed/feed.json", "feed/feed.json"),
        ("/a/logs/session.log", "/a/feed.json", "../feed.json"),
        ("/a/b/c/session.log", "/x/y", "../../../x/y"),
        ("/a/session.log", "/a", "."),
        ("/a/b/session.log", "/a", ".."),
        ("/session.log", "/a", "a"),
        ("/a/./b/../session.log", "/a//feed/", "feed"),
        ("session.log", "feed/feed.json", "feed/feed.json"),
        ("logs/session.log", "feed", "../feed"),
    ])
    func `names one file as another sees it`(_ file: String, _ target: String, _ path: String) {
        #expect(RelativePath.from(file, to: target) == path)
    }

    @Test(arguments: [
        (SeedCounts(posts: 0, images: 0, bytes: 0), "0 posts, 0 images, 0.0 MB"),
        (SeedCounts(posts: 3, images: 6, bytes: 360_000), "3 posts, 6 images, 0.4 MB"),
        (SeedCounts(posts: 72, images: 229, bytes: 87_567_040), "72 posts, 229 images, 87.6 MB"),
        (SeedCounts(posts: 1, images: 1, bytes: 49_999), "1 post, 1 image, 0.0 MB"),
    ])
    func `counts read well`(_ counts: SeedCounts, _ text: String) {
        #expect(counts.description == text)
    }

    @Test func `counted tokens look like random ones`() {
        let tokens = CountedTokens()
        #expect(tokens.make() == "00000000-0000-4000-8000-000000000001")
        #expect(tokens.make() == "00000000-0000-4000-8000-000000000002")
        #expect(tokens.make().utf8.count == RandomToken.make().utf8.count)
        #expect(RandomToken.make() != RandomToken.make())
    }

    @Test func `the system's clock counts microseconds since 1970`() {
        let year = 1970 + SystemClock.microseconds() / 31_556_952_000_000
        #expect((2_025...2_200).contains(year))
    }
}
