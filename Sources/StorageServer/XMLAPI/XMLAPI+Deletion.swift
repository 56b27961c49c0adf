// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import ObjectStore
import Wire

extension XMLAPI {
    /// Deletes several objects, each by itself; one that is absent counts as deleted.
    func deleteObjects(in bucket: BucketName, for call: StorageCall) async throws -> Response {
        let expected = try call.expectedDigest()
        let body = try await WholeBody(of: call.request).collected(upTo: XMLReader.byteCountMax)
        if let md5 = expected.md5, md5 != MessageDigest.md5(body) {
            throw XMLFailure.badDigest("The document has another MD5.")
        }
        let deletion = try XMLDeletion(try XMLReader.read(body))
        try await requireBucket(bucket)
        let results = try await blockingWork { [store] in
            deletion.objects.map { object in
                object.result(isQuiet: deletion.isQuiet) { try Self.delete(object, in: bucket, store: store) }
            }
        }
        return .xml(.element("DeleteResult", results, attributes: [XMLText.namespace]))
    }

    private static func delete(_ object: XMLDeletion.Object, in bucket: BucketName, store: SQLiteObjectStore) throws {
        guard let name = ObjectName(object.key) else { throw XMLFailure.invalidObjectName }
        _ = try store.delete(at: ObjectPath(bucket: bucket, name: name), generation: object.generation)
    }
}

extension XMLDeletion.Object {
    /// Deletes the object and says what became of it; `nil` when that goes without saying.
    fileprivate func result(isQuiet: Bool, _ delete: () throws -> Void) -> XMLText? {
        do {
            try delete()
            guard !isQuiet else { return nil }
            let version = generation.map { XMLText.element("VersionId", String($0)) }
            return .element("Deleted", [.element("Key", key), version])
        } catch {
            let failure = XMLFailure(error)
            return .element(
                "Error",
                [.element("Key", key), .element("Code", failure.code), .element("Message", failure.message)]
            )
        }
    }
}

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
