// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

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
        #expect(try Self.listing.selecting(FieldSelector(fields)).rendered(isIndented: false) == expected)
    }

    @Test("keeps everything", arguments: [nil, "", "*", "*,kind", "kind,*"])
    func keepsAll(fields: String?) throws {
        let all = Self.listing.rendered()
        #expect(try Self.listing.selecting(FieldSelector(fields)).rendered() == all)
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
        #expect(throws: FieldSelectionError.malformed(fields)) { try FieldSelector(fields) }
    }

    @Test(
        "reads paths with dots where an API takes them",
        arguments: [
            ("items.name", #"{"items":[{"name":"x"},{"name":"y"}]}"#),
            ("items.owner/entity,kind", ##"{"kind":"storage#objects","items":[{"owner":{"entity":"e"}},{}]}"##),
            ("items(owner.entity)", #"{"items":[{"owner":{"entity":"e"}},{}]}"#),
        ]
    )
    func readsDots(fields: String, expected: String) throws {
        let selector = try FieldSelector(fields, separators: ["/", "."])
        #expect(Self.listing.selecting(selector).rendered(isIndented: false) == expected)
    }

    @Test func `reads selections up to its limits`() throws {
        _ = try FieldSelector(Array(repeating: "a", count: FieldSelector.depthMax).joined(separator: "/"))
        _ = try FieldSelector(String(repeating: "a", count: FieldSelector.byteCountMax))
        #expect(throws: FieldSelectionError.tooLong) {
            try FieldSelector(String(repeating: "a", count: FieldSelector.byteCountMax + 1))
        }
    }
}
