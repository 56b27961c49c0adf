// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension Write {
    /// Refuses what is wrong whatever the store contains.
    ///
    /// Without a database the rules are those of the default one.
    ///
    /// - Throws: `FirestoreError` (invalid argument).
    package func validate(in database: DatabaseID? = nil) throws {
        guard DocumentSize.byteCount(of: path) <= DocumentLimits.nameByteCountMax else {
            throw FirestoreError.documentNameTooLong
        }
        let allowsBSON = database?.hasBSON ?? false
        if case .set(let fields, let mask) = operation {
            if case .values(let values) = fields { try FieldValidator.validate(values, allowsBSON: allowsBSON) }
            try mask?.validateForWriting()
        }
        guard updateTransforms.count <= DocumentLimits.transformCountMax else {
            throw FirestoreError.tooManyTransforms
        }
        for transform in updateTransforms {
            try transform.validate(allowsBSON: allowsBSON)
        }
        try validateTransformPaths()
        if case .updateTime(let time) = precondition, time != time.truncatedToMicroseconds {
            throw FirestoreError.preconditionTooPrecise
        }
    }
}

extension Write {
    /// Refuses to transform a field and one inside it; one field may be transformed several times.
    private func validateTransformPaths() throws {
        guard updateTransforms.count > 1 else { return }
        let paths = Set(updateTransforms.map(\.fieldPath))
        for transform in updateTransforms {
            let segments = transform.fieldPath.segments
            for count in 1..<segments.count {
                let outer = FieldPath(validated: Array(segments[..<count]))
                guard !paths.contains(outer) else { throw FirestoreError.nestedTransforms(of: outer) }
            }
        }
    }
}

extension DocumentMask {
    fileprivate func validateForWriting() throws {
        for path in fieldPaths {
            try path.validate()
        }
    }
}

extension FieldTransform {
    fileprivate func validate(allowsBSON: Bool) throws {
        guard !fieldPath.isDocumentID else { throw FirestoreError.reservedFieldPath(fieldPath) }
        try fieldPath.refuseReservedName()
        switch operation {
        case .serverTimestamp: break
        case .increment(let operand), .maximum(let operand), .minimum(let operand):
            guard operand.isNumber else { throw FirestoreError.transformNeedsNumber }
        case .appendMissingElements(let elements), .removeAllFromArray(let elements):
            try FieldValidator.validate(.array(elements), of: fieldPath, allowsBSON: allowsBSON)
        }
    }
}

extension Value {
    var isNumber: Bool {
        switch self {
        case .integer, .double: true
        case .null, .boolean, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .vector, .map: false
        }
    }
}
