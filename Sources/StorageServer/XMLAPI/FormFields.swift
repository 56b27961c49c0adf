// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The fields of a form before its file, by name without regard to case.
struct FormFields: Equatable {
    private var values: [String: String] = [:]

    /// The names in lower case, in order.
    var names: [String] { values.keys.sorted() }

    /// The value of a field, by its name in lower case.
    subscript(name: String) -> String? { values[name] }

    /// Adds a field; the last of a name counts.
    mutating func set(_ name: String, to value: String) {
        values[name.lowercased()] = value
    }
}
