// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A document while a commit's writes change it, one after the other.
struct WorkingDocument {
    /// The fields, decoded only when a write asks for them.
    private enum Content {
        case missing
        case encoded(EncodedFields)
        case changed([String: Value])
    }

    let reference: DocumentReference
    let stored: StoredDocument?
    private var content: Content
    /// Whether it was deleted in this commit: it then comes back, if at all, as a new document.
    private(set) var isReplaced = false

    init(_ reference: DocumentReference, stored: StoredDocument?) {
        self.reference = reference
        self.stored = stored
        self.content = stored.map { .encoded($0.document.encodedFields) } ?? .missing
    }

    /// `nil` when the document does not exist (any more).
    var encodedFields: EncodedFields? {
        switch content {
        case .missing: nil
        case .encoded(let fields): fields
        case .changed(let fields): EncodedFields(fields)
        }
    }

    /// Applies a write and returns the results of its transforms.
    mutating func apply(_ write: Write, requestTime: Timestamp) throws -> [Value] {
        try check(write.precondition)
        switch write.operation {
        case .verify:
            return []
        case .delete:
            content = .missing
            isReplaced = true
            return []
        case .set(.plain(let fields), nil) where write.updateTransforms.isEmpty:
            try validate(byteCount: fields.byteCount) { try fields.encoded.decoded() }
            content = .encoded(fields.encoded)
            return []
        case .set(let input, let mask):
            let values = try input.values
            var changed = try mask.map { try merging(values, at: $0.fieldPaths) } ?? values
            let results = write.updateTransforms.map { $0.apply(to: &changed, requestTime: requestTime) }
            try validate(changed, isChecked: mask == nil && results.isEmpty)
            content = .changed(changed)
            return results
        }
    }

    private var exists: Bool {
        if case .missing = content { false } else { true }
    }

    private func check(_ precondition: Precondition?) throws {
        switch precondition {
        case nil: break
        case .exists(true): guard exists else { throw FirestoreError.documentMissing(reference) }
        case .exists(false): guard !exists else { throw FirestoreError.documentExists(reference) }
        case .updateTime(let required):
            let version = exists ? stored?.document.updateTime : nil
            guard version == required else {
                if let version, version < required { throw FirestoreError.versionAhead(stored: version) }
                throw FirestoreError.versionMismatch(stored: version, required: required)
            }
        }
    }

    private func decodedFields() throws -> [String: Value] {
        switch content {
        case .missing: return [:]
        case .encoded(let fields):
            do {
                return try fields.decoded()
            } catch {
                throw FirestoreError.damaged(reference.path)
            }
        case .changed(let fields): return fields
        }
    }

    private func merging(_ input: [String: Value], at paths: [FieldPath]) throws -> [String: Value] {
        var merged = try decodedFields()
        for path in paths where !path.isDocumentID {
            if let value = input.value(at: path) {
                merged.set(value, at: path)
            } else {
                merged.removeValue(at: path)
            }
        }
        return merged
    }

    /// Masks and transforms can nest a document beyond what was checked in the write alone.
    private func validate(_ changed: [String: Value], isChecked: Bool) throws {
        if !isChecked {
            for (name, value) in changed where !value.hasDepth(within: DocumentLimits.depthMax) {
                throw FirestoreError.invalidNesting(in: name)
            }
        }
        try validate(byteCount: DocumentSize.byteCount(of: changed)) { changed }
    }

    private func validate(byteCount fieldsByteCount: Int, _ fields: () throws -> [String: Value]) throws {
        let byteCount = DocumentSize.byteCount(ofFields: fieldsByteCount, at: reference.path)
        guard byteCount <= DocumentLimits.documentByteCountMax else { throw FirestoreError.documentTooLarge }
        if byteCount > IndexWeight.harmlessByteCount {
            try IndexWeight.validate(try fields(), at: reference.path)
        }
    }
}
