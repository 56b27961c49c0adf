// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import JSON
import Testing

/// Documents of an app's own become posts of its own.
@Suite(.timeLimit(.minutes(5))) struct OwnPostsTests {
    struct Recipe: DocumentItem {
        struct Fields: Decodable, Sendable, Equatable {
            struct Photo: Decodable, Sendable, Equatable {
                let width: Int
                let height: Int
                let url: URL
            }

            var name: String
            var stars: Double?
            var isVegan: Bool?
            var cookedAt: Date?
            var key: Data?
            var photos: [Photo]?
            var position: [String: Double]?
            var vector: [Double]?
            var note: String?
        }

        let id: String
        let fields: Fields

        init(_ document: FeedDocument) throws {
            id = document.id
            fields = try document.decoded(as: Fields.self)
            if let stars = fields.stars, stars < 0 { throw Unwanted() }
        }

        struct Unwanted: Error, CustomStringConvertible {
            var description: String { "nobody cooks it" }
        }

        var images: [FeedImage] {
            (fields.photos ?? []).enumerated().map { index, photo in
                FeedImage(index: index, pixelWidth: photo.width, pixelHeight: photo.height, location: .url(photo.url))
            }
        }
    }

    private static func document(_ id: String, _ fields: String) -> String {
        #"{"document":{"name":"projects/demo/databases/(default)/documents/recipes/\#(id)","fields":{\#(fields)}}}"#
    }

    private static let soup = #""name":{"stringValue":"Soup"},"stars":{"doubleValue":4.5}"#

    private func repository(_ documents: [String]) -> (FeedRepository, RecordingTransport) {
        let transport = RecordingTransport(StubTransport("[\(documents.joined(separator: ","))]"))
        return (FeedRepository(endpoint: FakeFeed.endpoint, transport: transport), transport)
    }

    private func recipe(_ fields: String) async throws -> Recipe {
        let (repository, _) = repository([Self.document("r1", #""name":{"stringValue":"Soup"},\#(fields)"#)])
        return try #require(try await repository.page(of: Recipe.self, FeedQuery(), size: 2).posts.first)
    }

    @Test(
        arguments: [
            (#""isVegan":{"booleanValue":true}"#, \Recipe.Fields.isVegan == true),
            (#""stars":{"integerValue":"3"}"#, \.stars == 3),
            (#""stars":{"doubleValue":"Infinity"}"#, \.stars == .infinity),
            (#""note":{"nullValue":null}"#, \.note == nil), (#""key":{"bytesValue":"AQI="}"#, \.key == Data([1, 2])),
            (
                #""cookedAt":{"timestampValue":"2026-11-25T10:00:00.250Z"}"#,
                \.cookedAt == Date(timeIntervalSince1970: 1_795_600_800.25)
            ),
            (
                #""cookedAt":{"timestampValue":"1969-12-31T23:59:59.750Z"}"#,
                \.cookedAt == Date(timeIntervalSince1970: -0.25)
            ),
            (
                #""position":{"geoPointValue":{"latitude":1.5,"longitude":-2}}"#,
                \.position == ["latitude": 1.5, "longitude": -2]
            ),
            (
                #""vector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":"#
                    + #"{"values":[{"doubleValue":1},{"doubleValue":2.5}]}}}}}"#,
                \.vector == [1, 2.5]
            ), (#""photos":{"arrayValue":{}}"#, \.photos == []),
        ] as [(String, FieldCheck)]
    )
    func `decodes every type of value`(field: String, check: FieldCheck) async throws {
        let fields = try await recipe(field).fields
        #expect(check.holds(fields), "\(fields)")
    }

    struct FieldCheck: Sendable {
        let holds: @Sendable (Recipe.Fields) -> Bool
    }

    @Test func `skips what is no such post, and says why`() async throws {
        let (repository, _) = repository([
            Self.document("r1", Self.soup), Self.document("r2", #""stars":{"doubleValue":1}"#),
            Self.document("r3", #""name":{"integerValue":"1"},"stars":{"doubleValue":1}"#),
            Self.document("r4", #""name":{"stringValue":"Tar"},"stars":{"doubleValue":-1}"#),
            Self.document("r5", Self.soup + #","photos":{"arrayValue":{"values":[{"mapValue":{"fields":{}}}]}}"#),
        ])
        let page = try await repository.page(of: Recipe.self, FeedQuery(orders: [.descending("stars")]), size: 5)
        #expect(page.posts.map(\.id) == ["r1"])
        #expect(
            page.skipped == [
                SkippedDocument(path: "recipes/r2", problem: "name: the document has no such field"),
                SkippedDocument(path: "recipes/r3", problem: "name: expected String"),
                SkippedDocument(path: "recipes/r4", problem: "nobody cooks it"),
                SkippedDocument(path: "recipes/r5", problem: "photos[0].width: the document has no such field"),
            ]
        )
        #expect(page.cursor != nil)
    }

    @Test func `asks with several filters, any order and a nested collection`() async throws {
        let cookedAt = #""cookedAt":{"timestampValue":"1970-01-01T00:00:01Z"}"#
        let (repository, transport) = repository([Self.document("r1", "\(Self.soup),\(cookedAt)")])
        let query = FeedQuery(
            collection: "cooks/c 1/recipes",
            filters: [
                FeedFilter(field: "isVegan", equals: .boolean(true)),
                FeedFilter("stars", .greaterThan, .double(.infinity)),
                FeedFilter("tags", .arrayContainsAny, .array([.string("warm"), .integer(2)])),
                FeedFilter("cookedAt", .lessThan, .timestamp(Date(timeIntervalSince1970: 1.5))),
            ],
            orders: [.ascending("name"), .descending("stars")]
        )
        let first = try await repository.page(of: Recipe.self, query, size: 1)
        _ = try await repository.page(of: Recipe.self, query, number: 1, size: 1, after: first.cursor)
        let root = "http://firestore.test/v1/projects/demo/databases/(default)/documents"
        #expect(
            transport.requests.map(\.url.absoluteString)
                == ["\(root)/cooks/c%201:runQuery", "\(root)/cooks/c%201:runQuery"]
        )
        func filter(_ field: String, _ comparison: String, _ value: String) -> String {
            #"{"fieldFilter":{"field":{"fieldPath":"\#(field)"},"op":"\#(comparison)","value":\#(value)}}"#
        }
        func order(_ field: String, _ direction: String) -> String {
            #"{"direction":"\#(direction)","field":{"fieldPath":"\#(field)"}}"#
        }
        let filters = [
            filter("isVegan", "EQUAL", #"{"booleanValue":true}"#),
            filter("stars", "GREATER_THAN", #"{"doubleValue":"Infinity"}"#),
            filter(
                "tags",
                "ARRAY_CONTAINS_ANY",
                #"{"arrayValue":{"values":[{"stringValue":"warm"},{"integerValue":"2"}]}}"#
            ),
            filter("cookedAt", "LESS_THAN", #"{"timestampValue":"1970-01-01T00:00:01.500000Z"}"#),
        ]
        let orders = [
            order("name", "ASCENDING"), order("stars", "DESCENDING"), order("cookedAt", "DESCENDING"),
            order("__name__", "DESCENDING"),
        ]
        let expected =
            #"{"structuredQuery":{"from":[{"collectionId":"recipes"}],"limit":1,"#
            + #""orderBy":[\#(orders.joined(separator: ","))],"#
            + #""startAt":{"before":false,"values":[{"stringValue":"Soup"},{"doubleValue":4.5},"#
            + #"{"timestampValue":"1970-01-01T00:00:01Z"},{"referenceValue":"#
            + #""projects/demo/databases/(default)/documents/recipes/r1"}]},"#
            + #""where":{"compositeFilter":{"filters":[\#(filters.joined(separator: ","))],"op":"AND"}}}}"#
        #expect(transport.requests.last?.body.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(arguments: [("stars", true), ("`in.ner`.stars", true), ("inner.stars", true), ("inner.none", false)])
    func `goes on after a document by the field that orders it`(field: String, hasCursor: Bool) async throws {
        let inner = #"{"mapValue":{"fields":{"stars":{"integerValue":"7"}}}}"#
        let maps = #""in.ner":\#(inner),"inner":\#(inner)"#
        let (repository, _) = repository([Self.document("r1", "\(Self.soup),\(maps)")])
        let page = try await repository.page(of: Recipe.self, FeedQuery(orders: [.ascending(field)]), size: 1)
        #expect((page.cursor != nil) == hasCursor)
    }

    @Test func `loads images from any host, and those of a bucket by the post's id`() async throws {
        let photo = #"{"mapValue":{"fields":{"width":{"integerValue":"4"},"height":{"integerValue":"3"},"url":"#
        let url = #"{"stringValue":"https://images.test/soup?w=10&x=2"}}}}"#
        let recipe = try await recipe(#""photos":{"arrayValue":{"values":[\#(photo)\#(url)]}}"#)
        let elsewhere = ImageReference.Location.url(fakeURL("https://images.test/soup?w=10&x=2"))
        #expect(recipe.references(to: .thumbnail, in: "b") == [ImageReference(elsewhere, role: .thumbnail)])
        let nowhere = FeedImage(index: 1, pixelWidth: 1, pixelHeight: 1)
        #expect(recipe.reference(to: nowhere, in: "b") == ImageReference(.object(bucket: "b", name: "r1/1")))
    }
}

/// A check of one field of a decoded document.
private func == <Value: Equatable & Sendable>(
    field: any KeyPath<OwnPostsTests.Recipe.Fields, Value> & Sendable,
    value: Value
) -> OwnPostsTests.FieldCheck {
    OwnPostsTests.FieldCheck { $0[keyPath: field] == value }
}
