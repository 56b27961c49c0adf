// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import Wire

extension JSONText {
    /// Keeps the members of an object that a `fields` parameter names.
    ///
    /// Selections with a path or a sub-selector keep everything: more than asked for harms no client.
    func selecting(_ fields: String?) throws(StorageFailure) -> JSONText {
        guard let fields, case .object(let members) = self else { return self }
        guard !fields.contains(where: { "(/*".contains($0) }) else { return self }
        let names = Set(fields.split(separator: ",").map { $0.filter { $0 != " " } })
        return .object(members.filter { names.contains($0.0) })
    }
}
