// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel
package import Foundation

extension IndexConfiguration {
    /// Reads `firestore.indexes.json`.
    ///
    /// - Throws: `FirestoreError` (invalid argument) naming the entry and what is wrong with it.
    package init(json: Data) throws {
        let file: IndexFile
        do {
            file = try JSONDecoder().decode(IndexFile.self, from: json)
        } catch let error as DecodingError {
            throw FirestoreError.indexFileInvalid(error.place)
        } catch {
            throw FirestoreError.indexFileInvalid("it is no JSON")
        }
        self.init(
            indexes: Set(try (file.indexes ?? []).enumerated().map { try $1.definition(at: "indexes[\($0)]") }),
            overrides: try (file.fieldOverrides ?? []).enumerated().map { try $1.override(at: "fieldOverrides[\($0)]") }
        )
    }
}

/// The file's shape, as the Firebase CLI writes it.
private struct IndexFile: Decodable {
    var indexes: [Index]?
    var fieldOverrides: [Override]?

    struct Index: Decodable {
        var collectionGroup: String
        var queryScope: String
        var fields: [Field]

        func definition(at place: String) throws -> IndexDefinition {
            IndexDefinition(
                collectionGroup: collectionGroup,
                scope: try IndexDefinition.Scope(queryScope, at: place),
                fields: try fields.enumerated().map { number, field in
                    let place = "\(place).fields[\(number)]"
                    return IndexDefinition.Field(
                        path: try FieldPath(field.fieldPath, at: place),
                        mode: try field.mode(at: place)
                    )
                }
            )
        }
    }

    struct Override: Decodable {
        var collectionGroup: String
        var fieldPath: String
        var indexes: [Field.SingleField]

        func override(at place: String) throws -> FieldOverride {
            FieldOverride(
                collectionGroup: collectionGroup,
                path: fieldPath == "*" ? nil : try FieldPath(fieldPath, at: place),
                indexes: Set(
                    try indexes.enumerated().map { number, index in
                        let place = "\(place).indexes[\(number)]"
                        return FieldOverride.Index(
                            mode: try index.mode(at: place),
                            scope: try IndexDefinition.Scope(index.queryScope, at: place)
                        )
                    }
                )
            )
        }
    }

    struct Field: Decodable {
        var fieldPath: String
        var order: String?
        var arrayConfig: String?
        var vectorConfig: Vector?

        struct Vector: Decodable {
            var dimension: Int
        }

        struct SingleField: Decodable {
            var queryScope: String
            var order: String?
            var arrayConfig: String?

            func mode(at place: String) throws -> IndexDefinition.Mode {
                try IndexDefinition.Mode(order: order, arrayConfig: arrayConfig, dimension: nil, at: place)
            }
        }

        func mode(at place: String) throws -> IndexDefinition.Mode {
            try IndexDefinition.Mode(
                order: order,
                arrayConfig: arrayConfig,
                dimension: vectorConfig?.dimension,
                at: place
            )
        }
    }
}

extension IndexDefinition.Scope {
    fileprivate init(_ text: String, at place: String) throws {
        guard let scope = Self(rawValue: text) else {
            throw FirestoreError.indexFileInvalid("\(place).queryScope is neither COLLECTION nor COLLECTION_GROUP")
        }
        self = scope
    }
}

extension IndexDefinition.Mode {
    fileprivate init(order: String?, arrayConfig: String?, dimension: Int?, at place: String) throws {
        switch (order, arrayConfig, dimension) {
        case ("ASCENDING", nil, nil): self = .ascending
        case ("DESCENDING", nil, nil): self = .descending
        case (nil, "CONTAINS", nil): self = .arrayContains
        case (nil, nil, let dimension?): self = .vector(dimension: dimension)
        default:
            throw FirestoreError.indexFileInvalid(
                "\(place) needs one of order (ASCENDING, DESCENDING), arrayConfig (CONTAINS) or vectorConfig"
            )
        }
    }
}

extension FieldPath {
    fileprivate init(_ text: String, at place: String) throws {
        do {
            try self.init(parsing: text)
        } catch {
            throw FirestoreError.indexFileInvalid("\(place).fieldPath is no field path")
        }
    }
}

extension DecodingError {
    /// Where the file is not as it should be.
    fileprivate var place: String {
        switch self {
        case .keyNotFound(let key, let context): "\((context.codingPath + [key]).path) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.isEmpty ? "the top level" : context.codingPath.path) is of the wrong type"
        default: "it is no JSON"
        }
    }
}
