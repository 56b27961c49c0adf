// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The value of the parameter `alt`: a format, and how it writes what it can write in several ways.
///
/// `json;enum-encoding=int` is how Google's REST transports ask for numbers in place of the names of enumerations
/// (googleapis/gax-nodejs and sdk-platform-java, 2026-11).
package struct AlternativeFormat: Equatable, Sendable {
    /// `json`, `media` and so on.
    package let name: String
    package let enumsAreIntegers: Bool

    /// Without a value, or with an empty one, the format is JSON.
    package init(_ text: String?) {
        let parts = (text ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        name = parts.first.map(String.init) ?? "json"
        enumsAreIntegers = parts.dropFirst().contains("enum-encoding=int")
    }
}
