// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An element that was read; attributes, comments and the prefixes of names are gone.
struct XMLElement: Equatable {
    let name: String
    /// The text between the tags, without that of the elements inside.
    var text = ""
    var elements: [XMLElement] = []

    /// The first element of a name.
    subscript(name: String) -> XMLElement? {
        elements.first { $0.name == name }
    }

    /// All the elements of a name.
    func all(_ name: String) -> [XMLElement] {
        elements.filter { $0.name == name }
    }
}
