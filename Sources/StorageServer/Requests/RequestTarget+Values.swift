// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

extension RequestTarget {
    /// The value of a parameter; an empty one counts as absent, as in production.
    func text(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a parameter that must be a whole number.
    func number(_ name: String) throws(StorageFailure) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .notANumber(name) }
        return number
    }

    /// The most entries of a page; 0 and larger wishes get what production gives at most.
    func maxResults() throws(StorageFailure) -> Int {
        let wish = try number("maxResults") ?? 0
        return wish == 0 ? ObjectListQuery.entryCountMax : Int(min(wish, Int64(ObjectListQuery.entryCountMax)))
    }
}
