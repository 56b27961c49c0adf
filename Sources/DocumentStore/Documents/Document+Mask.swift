// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Document {
    /// The document with only the masked fields; all of them without a mask.
    package func selecting(_ mask: DocumentMask?) throws -> Document {
        guard let mask else { return self }
        var selected: [String: Value] = [:]
        for path in mask.fieldPaths {
            if let value = try value(at: path) {
                selected.set(value, at: path)
            }
        }
        return Document(path: path, fields: selected, createTime: createTime, updateTime: updateTime)
    }
}
