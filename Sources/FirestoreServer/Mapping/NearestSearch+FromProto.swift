// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

extension NearestSearch {
    /// Converts a received search.
    init(_ proto: Proto.StructuredQuery.FindNearest) throws {
        let field = try FieldPath(parsing: proto.vectorField.fieldPath)
        guard case .vector(let vector) = try Value(proto.queryVector) else {
            throw CallError.queryVectorMissing
        }
        try self.init(
            field: field,
            vector: vector,
            measure: try VectorDistance(proto.distanceMeasure),
            limit: Int(proto.limit.value),
            resultField: proto.distanceResultField.isEmpty ? nil : proto.distanceResultField,
            threshold: proto.hasDistanceThreshold ? proto.distanceThreshold.value : nil
        )
    }
}

extension VectorDistance {
    fileprivate init(_ proto: Proto.StructuredQuery.FindNearest.DistanceMeasure) throws {
        switch proto {
        case .euclidean: self = .euclidean
        case .cosine: self = .cosine
        case .dotProduct: self = .dotProduct
        case .unspecified, .UNRECOGNIZED: throw CallError.distanceMeasureUnknown
        }
    }
}
