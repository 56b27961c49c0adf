// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// The rules of searches (QI vector, recorded from production 2026-09).
struct NearestSearchTests {
    private func search(
        _ measure: VectorDistance = .euclidean,
        limit: Int = 3,
        result: String? = nil
    ) throws -> NearestSearch {
        try NearestSearch(
            field: field("v"),
            vector: [1, 2, 3],
            measure: measure,
            limit: limit,
            resultField: result
        )
    }

    private func document(_ id: String, _ vector: [Double]) throws -> Document {
        let time = Timestamp(seconds: 0)
        return Document(
            path: try path("c/\(id)"),
            fields: ["v": .vector(vector), "color": .string("red")],
            createTime: time,
            updateTime: time
        )
    }

    private func distances(_ search: NearestSearch) throws -> [Value?] {
        var fold = NearestFold(search)
        for (id, vector) in [("doc1", [1, 2, 3]), ("doc2", [2, 2, 3]), ("doc3", [3, 4, 5])] as [(String, [Double])] {
            try fold.add(document(id, vector))
        }
        return try fold.documents.map { try $0.fields["d"] }
    }

    @Test(arguments: [0, -1, 1_001])
    func `refuses a limit`(limit: Int) {
        #expect(
            refusal { _ = try search(limit: limit) }
                == "INVALID_ARGUMENT: FindNearest.limit must be a positive integer of no more than 1000"
        )
    }

    @Test func `refuses a result field and a threshold`() {
        #expect(
            refusal { _ = try search(result: "__name__") }
                == "INVALID_ARGUMENT: The distanceResultField.property.name \"__name__\" is reserved."
        )
        #expect(
            refusal {
                _ = try NearestSearch(field: field("v"), vector: [1], measure: .cosine, limit: 1, threshold: .nan)
            } == "INVALID_ARGUMENT: distanceThreshold must be a finite number."
        )
        #expect(
            refusal { _ = try NearestSearch(field: field("v"), vector: [], measure: .cosine, limit: 1) }
                == "INVALID_ARGUMENT: Cannot have a zero length vector."
        )
    }

    @Test func `refuses a query with a limit, an offset or a cursor`() throws {
        let source = Query.Source(collectionID: "c")
        let cursor = Query.Cursor(values: [], before: true)
        for (query, part) in [
            (Query(source: source, limit: 1), "query limit"), (Query(source: source, offset: 1), "query offset"),
            (Query(source: source, startAt: cursor), "cursor"), (Query(source: source, endAt: cursor), "cursor"),
        ] {
            #expect(
                refusal { try search().validate(with: query) }
                    == "INVALID_ARGUMENT: A \(part) cannot be used with FindNearest"
            )
        }
        try search().validate(with: Query(source: source))
    }

    @Test func `measures to the last bit`() throws {
        #expect(try distances(search(result: "d")) == [.double(0), .double(1), .double(12.squareRoot())])
        #expect(
            try distances(search(.cosine, result: "d"))
                == [.double(0), .double(0.017292370176009153), .double(0.027694414671753376)]
        )
        #expect(try distances(search()) == [nil, nil, nil])
    }

    @Test func `keeps equally near documents in the order in which they come`() throws {
        var fold = NearestFold(try search(limit: 2))
        for (id, vector) in [("b", [2, 2, 3]), ("d", [1, 2, 3]), ("c", [1, 2, 3])] as [(String, [Double])] {
            try fold.add(document(id, vector))
        }
        #expect(try fold.documents.map(\.path.id) == ["d", "c"])
    }

    @Test func `refuses the angle to nothing`() throws {
        var fold = NearestFold(try search(.cosine))
        let message = "FAILED_PRECONDITION: Cannot compute cosine distance against a vector with a magnitude of zero."
        #expect(refusal { try fold.add(document("a", [0, 0, 0])) } == message)
        #expect(FirestoreError.cosineOfZeroVector.reason == "COSINE_DISTANCE_ON_ZERO_VECTOR")
    }
}

extension NearestFold {
    /// The documents found, each with its distance where the search wants it.
    fileprivate var documents: [Document] {
        get throws {
            try members.compactMap { member in try member.document.map { try finish($0, at: member.distance) } }
        }
    }
}
