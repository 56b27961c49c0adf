// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol

extension FieldTransform {
    /// Converts a received transform.
    init(_ proto: Proto.FieldTransform) throws {
        self.init(try FieldPath(parsing: proto.fieldPath), try Operation(proto))
    }
}

extension FieldTransform.Operation {
    fileprivate init(_ proto: Proto.FieldTransform) throws {
        switch proto.transformType {
        case .setToServerValue(.requestTime): self = .serverTimestamp
        case .increment(let operand): self = .increment(try Value(operand))
        case .maximum(let operand): self = .maximum(try Value(operand))
        case .minimum(let operand): self = .minimum(try Value(operand))
        case .appendMissingElements(let array):
            self = .appendMissingElements(try array.values.map { try Value($0) })
        case .removeAllFromArray(let array):
            self = .removeAllFromArray(try array.values.map { try Value($0) })
        case .setToServerValue: throw CallError.serverValueUnknown
        case nil: throw CallError.transformUnknown
        }
    }
}
