// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Asks for the documents of a query whose vectors are nearest to a given one.
package struct NearestSearch: Sendable, Equatable {
    /// The most documents a search gives.
    ///
    /// Source: "Search with vector embeddings", firebase.google.com/docs/firestore/vector-search (2026-11).
    package static let limitMax = 1_000

    package var field: FieldPath
    package var vector: [Double]
    package var measure: VectorDistance
    package var limit: Int
    /// The field, taken literally, in which each document says how far it is.
    package var resultField: String?
    /// How far a document may be, or for the dot product how small its product; inclusive.
    package var threshold: Double?

    /// - Throws: `FirestoreError` (invalid argument) for a limit, a vector or a threshold out of bounds, or a field
    ///   name that is reserved.
    package init(
        field: FieldPath,
        vector: [Double],
        measure: VectorDistance,
        limit: Int,
        resultField: String? = nil,
        threshold: Double? = nil
    ) throws {
        guard (1...Self.limitMax).contains(limit) else { throw FirestoreError.nearestLimitInvalid }
        guard vector.count <= DocumentLimits.vectorDimensionMax else { throw FirestoreError.vectorTooLong }
        guard !vector.isEmpty else { throw FirestoreError.vectorEmpty }
        guard threshold?.isFinite ?? true else { throw FirestoreError.nearestThresholdInvalid }
        try resultField.map(Self.validate(resultField:))
        self.field = field
        self.vector = vector
        self.measure = measure
        self.limit = limit
        self.resultField = resultField
        self.threshold = threshold
    }

    /// Refuses a query with parts that a search replaces.
    ///
    /// - Throws: `FirestoreError` (invalid argument).
    package func validate(with query: Query) throws {
        guard query.limit == nil else { throw FirestoreError.nearestExcludes("query limit") }
        guard query.offset == 0 else { throw FirestoreError.nearestExcludes("query offset") }
        guard query.startAt == nil, query.endAt == nil else { throw FirestoreError.nearestExcludes("cursor") }
    }

    private static func validate(resultField name: String) throws {
        guard !ResourceID.isReserved(name) else { throw FirestoreError.nearestResultFieldReserved(name) }
        guard name.utf8.count <= FieldPath.segmentByteCountMax else {
            throw FirestoreError.nearestResultFieldTooLong
        }
    }
}

/// How far two vectors are from each other.
package enum VectorDistance: String, Sendable, CaseIterable {
    case euclidean = "EUCLIDEAN"
    /// One minus the cosine of the angle between them.
    case cosine = "COSINE"
    /// The product itself, of which more is nearer.
    case dotProduct = "DOT_PRODUCT"

    /// Both vectors must have as many components.
    package func callAsFunction(_ left: [Double], _ right: [Double]) -> Double {
        switch self {
        case .euclidean: zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        case .cosine: 1 - product(left, right) / (product(left, left) * product(right, right)).squareRoot()
        case .dotProduct: product(left, right)
        }
    }

    /// Whether the first of two distances is the nearer one.
    package func isNearer(_ left: Double, than right: Double) -> Bool {
        self == .dotProduct ? left > right : left < right
    }

    private func product(_ left: [Double], _ right: [Double]) -> Double {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
