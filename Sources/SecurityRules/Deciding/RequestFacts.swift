// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The path, the user and the documents of a request to Firestore as they are kept: most rules can be judged by it without a value being made.
///
/// The next request takes over its memory.
package final class RequestFacts {
    /// The user who makes the request.
    package enum User {
        /// A caller without a token.
        case none
        /// One whose token names a user, or does not.
        case signedIn(id: String?)
    }

    /// A document as rules see it.
    package enum Document {
        /// Requests of this kind have none.
        case undefined
        /// It is null.
        case missing
        case found(EncodedFields)

        /// Takes a document, or that there is none.
        package init(_ document: FirestoreModel.Document?) {
            self = document.map { .found($0.encodedFields) } ?? .missing
        }
    }

    /// Where the user is named.
    enum KnownUser {
        case unknown, none, unnamed
        case named(UnsafeRawBufferPointer)
    }

    let path = PathNames()
    private(set) var user = KnownUser.unknown
    private(set) var resource = Document.undefined
    private(set) var newResource = Document.undefined
    private let texts = TextMemory()

    /// Whether the request has described itself.
    var isKnown: Bool {
        if case .unknown = user { false } else { true }
    }

    /// Takes the facts of a request.
    ///
    /// - Parameters:
    ///   - path: The document that it asks for.
    ///   - database: The document's database.
    ///   - user: The user who makes it.
    ///   - resource: `resource`.
    ///   - newResource: `request.resource`.
    package func set(
        _ path: DocumentPath,
        in database: DatabaseID,
        by user: User,
        resource: Document,
        newResource: Document = .undefined
    ) {
        self.path.set(database: database.database, names: path.segments)
        switch user {
        case .none: self.user = .none
        case .signedIn(nil): self.user = .unnamed
        case .signedIn(let id?):
            texts.empty(for: id.utf8.count)
            self.user = .named(texts.append(id))
        }
        (self.resource, self.newResource) = (resource, newResource)
    }

    /// Forgets a request.
    func clear() {
        user = .unknown
        (resource, newResource) = (.undefined, .undefined)
    }
}
