// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSONWriting
import Testing

@testable import StorageServer

/// The parameter `fields`.
struct FieldSelectorTests {
    static let listing = JSONText.object([
        ("kind", "storage#objects"),
        ("nextPageToken", "t"),
        ("prefixes", .array(["a/", "b/"])),
        (
            "items",
            .array([
                .object([
                    ("name", "x"), ("size", "1"), ("owner", .object([("entity", "e"), ("entityId", "i")])),
                    ("metadata", .object([("k", "v"), ("l", "w")])),
                ]),
                .object([("name", "y"), ("size", "2")]),
            ])
        ),
    ])

    @Test(
        "keeps what is wanted, in its own order",
        arguments: [
            ("kind", #"{"kind":"storage#objects"}"#),
            ("nextPageToken,kind", #"{"kind":"storage#objects","nextPageToken":"t"}"#),
            ("items/name", #"{"items":[{"name":"x"},{"name":"y"}]}"#),
            ("items(name)", #"{"items":[{"name":"x"},{"name":"y"}]}"#),
            (
                "items(name,size),kind",
                ##"{"kind":"storage#objects","items":[{"name":"x","size":"1"},{"name":"y","size":"2"}]}"##
            ),
            ("items/name,items/size", #"{"items":[{"name":"x","size":"1"},{"name":"y","size":"2"}]}"#),
            ("items/owner/entity", #"{"items":[{"owner":{"entity":"e"}},{}]}"#),
            ("items(name,owner(entity))", #"{"items":[{"name":"x","owner":{"entity":"e"}},{"name":"y"}]}"#),
            ("items(name,owner/entity)", #"{"items":[{"name":"x","owner":{"entity":"e"}},{"name":"y"}]}"#),
            ("items/owner(entity,entityId)", #"{"items":[{"owner":{"entity":"e","entityId":"i"}},{}]}"#),
            ("items/*/entity", #"{"items":[{"owner":{"entity":"e"},"metadata":{}},{}]}"#),
            ("items/metadata/*", #"{"items":[{"metadata":{"k":"v","l":"w"}},{}]}"#),
            ("items/metadata,items/metadata/k", #"{"items":[{"metadata":{"k":"v","l":"w"}},{}]}"#),
            ("items/metadata/k,items/metadata", #"{"items":[{"metadata":{"k":"v","l":"w"}},{}]}"#),
            ("items(*/k,metadata/l)", #"{"items":[{"owner":{},"metadata":{"k":"v","l":"w"}},{}]}"#),
            ("prefixes", #"{"prefixes":["a/","b/"]}"#),
            ("prefixes/x", #"{"prefixes":[]}"#),
            ("kind/x", "{}"),
            ("none", "{}"),
            (" kind , items ( name ) ", ##"{"kind":"storage#objects","items":[{"name":"x"},{"name":"y"}]}"##),
        ]
    )
    func keeps(fields: String, expected: String) throws {
        #expect(try Self.listing.selecting(fields).rendered(isIndented: false) == expected)
    }

    @Test("keeps everything", arguments: [nil, "", "*", "*,kind", "kind,*"])
    func keepsAll(fields: String?) throws {
        let all = Self.listing.rendered()
        #expect(try Self.listing.selecting(fields).rendered() == all)
    }

    @Test(
        "refuses what is not of the grammar",
        arguments: [
            ",", "a,", ",a", "a,,b", "a/", "/a", "a//b", "a(", "a()", "a)", "(a)", "a(b", "a(b))", "a(b)c", "a(b)/c",
            "a/(b)", "a*", "*a", "**", "a b", " ", "a(,b)", "a(b,)",
            Array(repeating: "a", count: FieldSelector.depthMax + 1).joined(separator: "/"),
            String(repeating: "a(", count: FieldSelector.depthMax + 1) + "b"
                + String(repeating: ")", count: FieldSelector.depthMax + 1),
        ]
    )
    func refuses(fields: String) {
        let failure = #expect(throws: StorageFailure.self) { try FieldSelector(fields) }
        #expect(failure?.message == "Invalid field selection \(fields)")
        #expect(failure?.status == 400)
        #expect(failure?.reason == "invalidParameter")
    }

    @Test func `reads selections up to its limits`() throws {
        _ = try FieldSelector(Array(repeating: "a", count: FieldSelector.depthMax).joined(separator: "/"))
        _ = try FieldSelector(String(repeating: "a", count: FieldSelector.byteCountMax))
        #expect(throws: StorageFailure.self) {
            try FieldSelector(String(repeating: "a", count: FieldSelector.byteCountMax + 1))
        }
    }

    @Test func `answers a bad selection with 400 and changes nothing`() async throws {
        let fixture = try StorageFixture()
        let upload = "/upload/storage/v1/b/bkt/o?uploadType=media&name=a&fields="
        #expect(try await fixture.send(.post, upload + "a(", [:], "x").status == 400)
        #expect(try fixture.isEmpty())
        try await fixture.putHello()
        let answer = try await fixture.send(.get, "/b/bkt/o?fields=items(")
        #expect(answer.status == 400)
        #expect(try answer.json("error.errors.0.reason") == "invalidParameter")
        let names = try await fixture.send(.get, "/b/bkt/o?fields=items(name)&prettyPrint=false")
        #expect(names.text == #"{"items":[{"name":"docs/a.txt"}]}"#)
    }
}
