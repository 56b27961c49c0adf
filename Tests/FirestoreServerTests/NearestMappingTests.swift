// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import FirestoreServer

/// QI vector/refusals and vector/validation, as far as the message alone shows.
struct NearestMappingTests {
    private static let vector =
        #""queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
        + #""value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}"#
    private static let empty =
        #""queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
        + #""value":{"arrayValue":{}}}}}"#
    private static let field = #""vectorField":{"fieldPath":"v"}"#
    private static let rest = #""distanceMeasure":"COSINE","limit":3"#

    private static let limitText = "FindNearest.limit must be a positive integer of no more than 1000"

    @Test(
        arguments: [
            ("limit 0", [field, vector, #""distanceMeasure":"COSINE","limit":0"#], limitText),
            ("limit 1001", [field, vector, #""distanceMeasure":"COSINE","limit":1001"#], limitText),
            ("limit absent", [field, vector, #""distanceMeasure":"COSINE""#], limitText),
            ("#measure-missing", [field, vector, #""limit":3"#], "Unknown Distance Measure."),
            ("#vector-field-missing", [vector, rest], "Invalid empty property path string."),
            ("#query-vector-missing", [field, rest], "Cannot convert firestore.v1.Value with type unset."),
            (
                "#query-vector-array", [field, #""queryVector":{"arrayValue":{}}"#, rest],
                "Query Value must be of type vector."
            ),
            ("#query-vector-empty", [field, empty, rest], "Cannot have a zero length vector."),
            (
                "#distance-field-reserved",
                [field, vector, rest, #""distanceResultField":"__name__""#],
                "The distanceResultField.property.name \"__name__\" is reserved."
            ),
            (
                "#threshold-nan",
                [field, vector, rest, #""distanceThreshold":"NaN""#],
                "distanceThreshold must be a finite number."
            ),
        ] as [(String, [String], String)]
    )
    func `refuses searches`(recording: String, parts: [String], message: String) throws {
        let json = "{\(parts.joined(separator: ","))}"
        let proto = try ProtoJSON.decode(Array(json.utf8), as: Proto.StructuredQuery.FindNearest.self)
        do {
            _ = try NearestSearch(proto)
            Issue.record("accepted")
        } catch let error as CallError {
            #expect(error.message == message)
        } catch let error as FirestoreError {
            #expect(error.message == message)
        }
    }

    @Test func `takes the result field literally`() throws {
        let json = "{\([Self.field, Self.vector, Self.rest, #""distanceResultField":"a.b""#].joined(separator: ","))}"
        let proto = try ProtoJSON.decode(Array(json.utf8), as: Proto.StructuredQuery.FindNearest.self)
        #expect(try NearestSearch(proto).resultField == "a.b")
    }
}
