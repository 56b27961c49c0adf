// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension HTTPFields {
    /// Sets a field whose name the library does not know.
    package mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no token of RFC 9110") }
        self[name] = value
    }
}
