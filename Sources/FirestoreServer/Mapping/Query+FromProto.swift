// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

extension Query {
    /// Converts a received query under a parent.
    init(_ proto: Proto.StructuredQuery, under parent: DocumentPath?) throws {
        self.init(
            parent: parent,
            source: try Source(proto.from),
            filter: proto.hasWhere ? try Filter(proto.where) : nil,
            orderBy: try proto.orderBy.map { try Ordering($0) },
            startAt: proto.hasStartAt ? try Cursor(proto.startAt) : nil,
            endAt: proto.hasEndAt ? try Cursor(proto.endAt) : nil,
            limit: proto.hasLimit ? Int(proto.limit.value) : nil,
            offset: Int(proto.offset),
            projection: try proto.projection
        )
    }
}

extension Query.Source {
    /// No selector, like an empty one, selects the collections of any id right under the parent, in production too
    /// (recorded 2026-09).
    fileprivate init(_ selectors: [Proto.StructuredQuery.CollectionSelector]) throws {
        guard selectors.count <= 1 else { throw CallError.selectorRepeated }
        let selector = selectors.first ?? Proto.StructuredQuery.CollectionSelector()
        self.init(
            collectionID: selector.collectionID.isEmpty ? nil : selector.collectionID,
            allDescendants: selector.allDescendants
        )
    }
}

extension Query.Ordering {
    fileprivate init(_ proto: Proto.StructuredQuery.Order) throws {
        let fieldPath = try FieldPath(parsing: proto.field.fieldPath)
        switch proto.direction {
        case .ascending, .unspecified: self.init(fieldPath)
        case .descending: self.init(fieldPath, .descending)
        case .UNRECOGNIZED: throw CallError.directionUnknown
        }
    }
}

extension Query.Cursor {
    fileprivate init(_ proto: Proto.Cursor) throws {
        self.init(values: try proto.values.map { try Value($0) }, before: proto.before)
    }
}

extension Proto.StructuredQuery {
    /// A selection of nothing means documents without fields, in production too (recorded 2026-09); only its absence
    /// means whole ones.
    fileprivate var projection: DocumentMask? {
        get throws {
            hasSelect ? try DocumentMask(parsing: select.fields.map(\.fieldPath)) : nil
        }
    }
}

extension DatabaseID {
    /// Parses `projects/{project}/databases/{database}`.
    init(parsing name: String) throws {
        if let plain = DatabaseID(plain: name) {
            self = plain
            return
        }
        let root = try ResourceParent(parsing: name + "/documents")
        guard root.document == nil else { throw CallError.databaseNameInvalid }
        self = root.database
    }
}

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
