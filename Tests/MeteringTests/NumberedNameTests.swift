// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

struct NumberedNameTests {
    @Test(
        arguments: [
            ("u1/p1/0", ["u1/p1/", "0", ""]), ("u1/photo_10.jpg", ["u1/photo_", "10", ".jpg"]),
            ("k9f3_2.webp", ["k9f3_", "2", ".webp"]), ("7/cover.jpg", nil), ("", nil),
            ("99999999999999999999.jpg", nil),
        ] as [(String, [String]?)]
    )
    func `the last number of the last segment is an image's`(name: String, parts: [String]?) {
        let found = NumberedName(name)
        #expect(found.map { [$0.prefix, String($0.number), $0.suffix] } == parts)
    }
}
