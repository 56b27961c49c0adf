// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document while a commit's writes change it, one after the other.
struct WorkingDocument {
    let reference: DocumentReference
    let stored: StoredDocument?
    /// `nil` when the document does not exist (any more).
    private(set) var fields: [String: Value]?
    /// Whether it was deleted in this commit: it then comes back, if at all, as a new document.
    private(set) var isReplaced = false

    init(_ reference: DocumentReference, stored: StoredDocument?) {
        self.reference = reference
        self.stored = stored
        self.fields = stored?.document.fields
    }

    /// Applies a write and returns the results of its transforms.
    mutating func apply(_ write: Write, requestTime: Timestamp) throws -> [Value] {
        try check(write.precondition)
        switch write.operation {
        case .delete:
            fields = nil
            isReplaced = true
            return []
        case .set(let input, let mask):
            var changed = mask == nil ? input : merging(input, mask?.fieldPaths ?? [])
            let results = write.updateTransforms.map { $0.apply(to: &changed, requestTime: requestTime) }
            try validate(changed)
            fields = changed
            return results
        }
    }

    private func check(_ precondition: Precondition?) throws {
        switch precondition {
        case nil: break
        case .exists(true): guard fields != nil else { throw DocumentStoreError.documentMissing(reference) }
        case .exists(false): guard fields == nil else { throw DocumentStoreError.documentExists(reference) }
        case .updateTime(let required):
            let version = fields == nil ? nil : stored?.document.updateTime
            guard version == required else {
                if let version, version < required { throw DocumentStoreError.versionAhead(stored: version) }
                throw DocumentStoreError.versionMismatch(stored: version, required: required)
            }
        }
    }

    private func merging(_ input: [String: Value], _ paths: [FieldPath]) -> [String: Value] {
        var merged = fields ?? [:]
        for path in paths where !path.isDocumentID {
            if let value = input.value(at: path) {
                merged.set(value, at: path)
            } else {
                merged.removeValue(at: path)
            }
        }
        return merged
    }

    /// Masks and transforms can nest and grow a document beyond what was checked in the write alone.
    private func validate(_ changed: [String: Value]) throws {
        for (name, value) in changed where !value.hasDepth(within: DocumentLimits.depthMax) {
            throw DocumentStoreError.invalidNesting(in: name)
        }
        let byteCount = DocumentSize.byteCount(of: changed, at: reference.path)
        guard byteCount <= DocumentLimits.documentByteCountMax else { throw DocumentStoreError.documentTooLarge }
        if byteCount > IndexWeight.harmlessByteCount {
            try IndexWeight.validate(changed, at: reference.path)
        }
    }
}
