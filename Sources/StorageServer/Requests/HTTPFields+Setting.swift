// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// Sets a field whose name or value may come from a client; one that HTTP cannot carry is left out.
    mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return }
        self[name] = value
    }

    /// Leaves a field out, by a name that the HTTP library does not know.
    mutating func remove(_ name: String) {
        if let name = HTTPField.Name(name) { self[name] = nil }
    }
}
