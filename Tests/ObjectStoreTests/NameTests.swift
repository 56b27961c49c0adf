// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Testing

@Suite struct NameTests {
    @Test(
        "validates bucket names",
        arguments: [
            ("bkt", true), ("b", true), ("demo.appspot.com", true), ("my_bucket-1", true), ("", false),
            ("Bkt", false), ("a/b", false), ("b\u{e9}", false), ("a b", false),
            (String(repeating: "a", count: 222), true), (String(repeating: "a", count: 223), false),
        ]
    )
    func validatesBuckets(name: String, isValid: Bool) {
        #expect((BucketName(name) != nil) == isValid)
    }

    @Test(
        "validates object names",
        arguments: [
            ("a/b.png", true), ("a/../b", true), ("//", true), ("dir/", true), (".", false), ("..", false),
            ("...", true), ("\0", true), ("", false),
            ("a\r\nb", false), ("a\nb", false), ("a\rb", false), (String(repeating: "a", count: 1_024), true),
            (String(repeating: "\u{e9}", count: 512), true), (String(repeating: "\u{e9}", count: 513), false),
        ]
    )
    func validatesObjects(name: String, isValid: Bool) {
        #expect((ObjectName(name) != nil) == isValid)
    }

    @Test func `tells composed from decomposed letters`() throws {
        let composed = try #require(ObjectName("\u{e9}"))
        let decomposed = try #require(ObjectName("e\u{301}"))
        #expect(composed.description == decomposed.description)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
