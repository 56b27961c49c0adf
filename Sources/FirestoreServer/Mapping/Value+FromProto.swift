// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Foundation
import SwiftProtobuf

extension Value {
    /// Converts a received value; a map that says it is a vector becomes one.
    ///
    /// Production reads references as parents, in queries and in documents (recorded 2026-09).
    init(_ proto: Proto.Value) throws {
        switch proto.valueType {
        case .nullValue: self = .null
        case .booleanValue(let flag): self = .boolean(flag)
        case .integerValue(let number): self = .integer(number)
        case .doubleValue(let number): self = .double(number)
        case .timestampValue(let time): self = .timestamp(Timestamp(time))
        case .stringValue(let text): self = .string(text)
        case .bytesValue(let data): self = .bytes(Array(data))
        case .referenceValue(let name): self = .reference(try DocumentReference(parsing: name, as: .parent))
        case .geoPointValue(let point): self = .geoPoint(GeoPoint(point))
        case .arrayValue(let array): self = .array(try array.values.map { try Value($0) })
        case .mapValue(let map): self = try Value(map)
        case nil: throw CallError.valueUnset
        }
    }

    private init(_ map: Proto.MapValue) throws {
        let type = map.fields[VectorForm.typeKey]?.valueType
        if type != nil {
            guard case .stringValue = type else { throw CallError.mapTypeInvalid }
        }
        guard type == .stringValue(VectorForm.type) else {
            self = .map(BSONForm.normalizing(try map.fields.mapValues { try Value($0) }))
            return
        }
        guard case .arrayValue(let components) = map.fields[VectorForm.valueKey]?.valueType else {
            throw CallError.vectorWithoutValue
        }
        guard map.fields.count == 2 else { throw CallError.vectorWithOtherFields }
        self = .vector(try components.values.map { try VectorForm.component($0) })
    }
}

/// How the protocol writes a vector: as a map of two reserved fields.
enum VectorForm {
    static let typeKey = "__type__"
    static let type = "__vector__"
    static let valueKey = "value"

    fileprivate static func component(_ value: Proto.Value) throws -> Double {
        guard case .doubleValue(let number) = value.valueType else { throw CallError.vectorComponentInvalid }
        return number
    }
}

extension Timestamp {
    /// Converts a received time, keeping its nanoseconds; the store cuts what it keeps.
    init(_ proto: Google_Protobuf_Timestamp) {
        self.init(seconds: proto.seconds, nanoseconds: proto.nanos)
    }
}

extension GeoPoint {
    fileprivate init(_ proto: Proto.LatLng) {
        self.init(latitude: proto.latitude, longitude: proto.longitude)
    }
}
