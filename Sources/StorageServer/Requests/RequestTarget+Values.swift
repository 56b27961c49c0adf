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
        guard let number = Int64(text) else { throw .notANumber(text, parameter: name) }
        return number
    }

    /// The value of a parameter that is `true` or `false`.
    func flag(_ name: String) -> Bool {
        self[name]?.lowercased() == "true"
    }

    /// The most entries of a page; larger requests get production's maximum.
    func maxResults() throws(StorageFailure) -> Int {
        guard let requested = try number("maxResults") else { return ObjectListQuery.entryCountMax }
        guard requested >= 0 else {
            throw .invalid("Invalid value '\(requested)'. Values must be within the range: [0, 1000]")
        }
        return Int(min(requested, Int64(ObjectListQuery.entryCountMax)))
    }
}
