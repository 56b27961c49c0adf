// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import Foundation
import SwiftProtobuf

extension Proto.Value {
    /// Converts a stored value.
    init(_ value: Value) {
        self.init()
        switch value {
        case .null: nullValue = .nullValue
        case .boolean(let flag): booleanValue = flag
        case .integer(let number): integerValue = number
        case .double(let number): doubleValue = number
        case .timestamp(let time): timestampValue = Google_Protobuf_Timestamp(time)
        case .string(let text): stringValue = text
        case .bytes(let bytes): bytesValue = Data(bytes)
        case .reference(let reference): referenceValue = reference.name
        case .geoPoint(let point): geoPointValue = Proto.LatLng(point)
        case .array(let values): arrayValue = Proto.ArrayValue(values)
        case .vector(let components): mapValue = Proto.MapValue(vector: components)
        case .map(let fields): mapValue = Proto.MapValue(fields)
        }
    }
}

extension Proto.ArrayValue {
    fileprivate init(_ values: [Value]) {
        self.init()
        self.values = values.map { Proto.Value($0) }
    }
}

extension Proto.MapValue {
    fileprivate init(_ fields: [String: Value]) {
        self.init()
        self.fields = fields.mapValues { Proto.Value($0) }
    }

    fileprivate init(vector components: [Double]) {
        self.init([
            VectorForm.typeKey: .string(VectorForm.type),
            VectorForm.valueKey: .array(components.map { .double($0) }),
        ])
    }
}

extension Proto.LatLng {
    fileprivate init(_ point: GeoPoint) {
        self.init()
        latitude = point.latitude
        longitude = point.longitude
    }
}

extension Google_Protobuf_Timestamp {
    /// Converts a stored time.
    init(_ timestamp: Timestamp) {
        self.init(seconds: timestamp.seconds, nanos: timestamp.nanoseconds)
    }
}

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
