// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The body of a request to delete several objects.
struct XMLDeletion: Equatable {
    /// The most objects of a request, as production.
    static let objectCountMax = 1_000

    /// One of them.
    struct Object: Equatable {
        let key: String
        let generation: Int64?
    }

    let objects: [Object]
    /// Whether the answer names only those that could not be deleted.
    let isQuiet: Bool

    /// Reads the document.
    init(_ element: XMLElement) throws(XMLFailure) {
        let list = element.all("Object")
        guard element.name == "Delete", (1...Self.objectCountMax).contains(list.count) else {
            throw .malformedXML("The document must be a Delete with 1 to \(Self.objectCountMax) elements Object.")
        }
        var objects: [Object] = []
        for object in list {
            guard let key = object["Key"]?.text, !key.isEmpty else { throw .malformedXML("Each Object needs a Key.") }
            let version = object["VersionId"] ?? object["Generation"]
            let generation = version.flatMap { Int64($0.text) }
            guard version == nil || generation != nil else {
                throw .malformedXML("A VersionId must be the number of a generation.")
            }
            objects.append(Object(key: key, generation: generation))
        }
        self.objects = objects
        isQuiet = element["Quiet"]?.text == "true"
    }
}
