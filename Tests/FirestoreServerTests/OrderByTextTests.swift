// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Testing

@testable import FirestoreServer

struct OrderByTextTests {
    @Test(
        arguments: [
            ("", []), ("  ", []), ("a", ["a"]), ("a asc", ["a"]), ("a.b desc, __name__", ["-a.b", "__name__"]),
            ("`a, b` DESC", ["-`a, b`"]), (#"`a\`, b`,c"#, [#"`a\`, b`"#, "c"]),
        ] as [(String, [String])]
    )
    func `parses an order`(text: String, criteria: [String]) throws {
        let orderings = try OrderByText.parse(text)
        #expect(orderings.map { ($0.direction == .descending ? "-" : "") + $0.fieldPath.description } == criteria)
    }

    @Test(arguments: [",", "a,", "a up", "a desc desc", " , a"])
    func `refuses what is no order`(text: String) {
        #expect(throws: (any Error).self) { try OrderByText.parse(text) }
    }
}
