// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Testing

@testable import FirestoreServer

struct OrderByTextTests {
    @Test(
        arguments: [
            ("", []), ("a ", ["a"]), ("a", ["a"]), ("a asc", ["a"]), ("a.b desc, __name__", ["-a.b", "__name__"]),
            ("`a, b` DESC", ["-`a, b`"]), (#"`a\`, b`,c"#, [#"`a\`, b`"#, "c"]),
        ] as [(String, [String])]
    )
    func `parses an order`(text: String, criteria: [String]) throws {
        let orderings = try OrderByText.parse(text)
        #expect(orderings.map { ($0.direction == .descending ? "-" : "") + $0.fieldPath.description } == criteria)
    }

    @Test(arguments: [",", "a,", "a up", "b, a desc desc", " , a", " ", " a", "a..b", "é"])
    func `refuses what is no order and names all of it`(text: String) {
        #expect {
            try OrderByText.parse(text)
        } throws: { error in
            (error as? CallError)?.message == "Invalid order by clause \"\(text)\"."
        }
    }
}
