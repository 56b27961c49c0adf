// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LogImport

struct ImageLayoutTests {
    @Test(
        arguments: [
            ("posts/{id}/{n}.jpg", "posts: posts/{id}/{n}.jpg"),
            ("users/{author}/recipes/{id}/photo_{n}.png", "recipes: users/{author}/recipes/{id}/photo_{n}.png"),
            ("albums/shots: {cover}", "albums/shots: {cover}"),
            ("feed:  {user}/{id}/{n}", "feed: {user}/{id}/{n}"),
            ("{id}_{#}x{#}.webp", "posts: {id}_{#}x{#}.webp"),
        ]
    )
    func `reads what it writes`(text: String, expected: String) throws {
        let layout = try ImageLayout(text)
        #expect(layout.description == expected)
        #expect(try ImageLayout(expected) == layout)
    }

    @Test(
        arguments: [
            ("", "names no object"), ("posts:", "names no object"), ("posts/{n}.jpg", "names no field"),
            ("posts/{id/1.jpg", "lacks a '}'"), ("posts/{}/1.jpg", "has braces without a name"),
        ]
    )
    func `says what is wrong`(text: String, problem: String) {
        let error = #expect(throws: ImageLayoutError.self) { _ = try ImageLayout(text) }
        #expect(error?.description.contains(problem) == true)
    }

    @Test(
        arguments: [
            ("posts/{id}/{n}.jpg", "posts/p1/12.jpg", ["p1"], 12), ("posts/{id}/{n}.jpg", "posts/p1/12.png", nil, nil),
            ("posts/{id}/{n}.jpg", "posts/p1/x/12.jpg", nil, nil), ("{id}/{n}", "p1/", nil, nil),
            ("{user}/{id}_{n}.jpg", "ann/a_b_7.jpg", ["ann", "a_b"], 7),
            ("{id}_{#}x{#}.jpg", "p_200x300.jpg", ["p"], nil),
            ("x: {cover}", "any/thing at all", ["any/thing at all"], nil), ("{id}.jpg", "ü/p.jpg", nil, nil),
            ("{id}.jpg", "ü.jpg", ["ü"], nil), ("{id}/{n}", "p/99999999999999999999", ["p"], nil),
        ] as [(String, String, [String]?, Int?)]
    )
    func `takes names apart`(layout: String, name: String, fields: [String]?, number: Int?) throws {
        let values = try ImageLayout(layout).values(in: name)
        #expect(values?.fields.map(String.init) == fields)
        #expect(values?.number == number)
    }
}
