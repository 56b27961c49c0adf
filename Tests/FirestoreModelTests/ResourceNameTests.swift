// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import FirestoreModel

struct ResourceNameTests {
    private static let documents = "projects/demo/databases/(default)/documents"

    @Test func `reads a document's name`() throws {
        let reference = try DocumentReference(parsing: "\(Self.documents)/a/1/b/2")
        #expect(reference.database == demo)
        #expect(try reference.path == path("a/1/b/2"))
        #expect(reference.name == "\(Self.documents)/a/1/b/2")
        #expect(reference.path.collection.description == "a/1/b")
        #expect(reference.path.parent?.description == "a/1")
    }

    @Test func `reads a parent's name`() throws {
        #expect(try ResourceParent(parsing: Self.documents).document == nil)
        #expect(try ResourceParent(parsing: "\(Self.documents)/a/1").document == path("a/1"))
    }

    // The second of each pair has an id that the quick way does not take.
    @Test(arguments: ["a/\u{301}x", "a/\u{301}x/b/_1", "a/\u{FE0F}", "a/\u{FE0F}/b/.1", "a/e\u{301}", "a/é/b/_é"])
    func `separates ids at the bytes of slashes`(path: String) throws {
        let name = "\(Self.documents)/\(path)"
        let reference = try DocumentReference(parsing: name)
        #expect(reference.name.utf8.elementsEqual(name.utf8))
        #expect(reference.path == (try DocumentPath(parsing: path)))
        #expect(reference.path.segments.count == path.utf8.count { $0 == UInt8(ascii: "/") } + 1)
    }

    @Test(
        "refuses names in the official emulator's words",
        arguments: [
            ("", "Document name \"\" lacks \"projects\" at index 0."),
            ("projects/x/foo", "Document name \"projects/x/foo\" lacks \"databases\" at index 11."),
            ("\(documents)/w/..", "Document name \"\(documents)/w/..\" contains a resource id \"..\" at index 46."),
            ("\(documents)/w/.", "Document name \"\(documents)/w/.\" contains a resource id \".\" at index 46."),
            ("\(documents)/w//a", "Document name \"\(documents)/w//a\" lacks a resource id at index 46."),
            ("\(documents)/w", "Document name \"\(documents)/w\" lacks \"/\" at index 45."),
            ("\(documents)/w/a/", "Document name \"\(documents)/w/a/\" has invalid trailing \"/\"."),
            (
                documents,
                """
                Document name "\(documents)" is invalid: Omit "/documents" when referencing a database \
                (except as the parent of a document).
                """
            ),
            ("\(documents)/w/__x__", "Resource id \"__x__\" is invalid because it is reserved."),
            ("\(documents)/w/__id007__", "Resource id \"__id007__\" is invalid because it is reserved."),
            ("\(documents)/__x__/a", "Collection id \"__x__\" is invalid because it is reserved."),
            ("\(documents)/__id7__/a", "Collection id \"__id7__\" is invalid because it is reserved."),
            (
                "\(documents)/w/\(String(repeating: "d", count: 1_501))",
                "The key path element name is longer than 1500 bytes."
            ),
        ]
    )
    func refuses(name: String, message: String) {
        #expect(refusal { _ = try DocumentReference(parsing: name) } == "INVALID_ARGUMENT: \(message)")
    }

    @Test func `accepts numeric ids and dunders that are not reserved`() throws {
        for id in ["__id7__", "__id-7__", "__", "___", "____", "__a", "a__"] {
            #expect(try path("w/\(id)").id == id)
        }
    }

    @Test(
        "refuses ids in the official emulator's words",
        arguments: [
            (".", "Resource id \".\" is invalid because it is reserved."),
            ("a/b", "Resource id \"a/b\" is invalid because it contains \"/\"."),
            ("__a__", "Resource id \"__a__\" is invalid because it is reserved."),
        ]
    )
    func refusesID(id: String, message: String) throws {
        let collection = try CollectionPath(parsing: "t")
        #expect(refusal { _ = try collection.document(id) } == "INVALID_ARGUMENT: \(message)")
    }
}
