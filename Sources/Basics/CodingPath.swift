// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Sequence where Element == any CodingKey {
    /// The way to a value in JSON, as one writes it in JavaScript: `posts[12].likes`; empty for the whole.
    package var path: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
