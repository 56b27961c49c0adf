// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
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
