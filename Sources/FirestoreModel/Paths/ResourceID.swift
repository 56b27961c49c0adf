// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The rules for one segment of a path: a collection's or a document's id.
///
/// Source: cloud.google.com/firestore/quotas, "Constraints on collection IDs / document IDs" (2026-11); the texts
/// are production's (recorded 2026-09), the order of the checks is the official emulator's (1.19.9).
package enum ResourceID {
    package static let byteCountMax = 1_500

    /// Which role a segment plays; the refusals name it.
    package enum Role: String, Sendable {
        case collection = "Collection id"
        case document = "Resource id"

        /// The role within a sentence.
        var noun: String {
            switch self {
            case .collection: "collection id"
            case .document: "resource id"
            }
        }
    }

    /// Checks an id on its own, as given in a request.
    ///
    /// - Throws: `FirestoreError` (invalid argument) for an id that is empty, `.`, `..`, contains a slash,
    ///   is reserved (`__x__`) or longer than 1,500 bytes.
    package static func validate(_ identifier: String, as role: Role) throws {
        guard !identifier.isEmpty else {
            throw FirestoreError.invalidID(identifier, role: role, because: "it is empty")
        }
        guard !identifier.utf8.contains(UInt8(ascii: "/")) else {
            throw FirestoreError.invalidID(identifier, role: role, because: "it contains \"/\"")
        }
        guard identifier.utf8.count <= byteCountMax else { throw FirestoreError.idTooLong(role) }
        guard isReserved(identifier) || identifier == "." || identifier == ".." else { return }
        guard role == .document, let digits = numericPart(of: identifier) else {
            throw FirestoreError.invalidID(identifier, role: role, because: "it is reserved")
        }
        guard Int64(digits) != nil else {
            throw FirestoreError.invalidID(identifier, role: role, because: "it is not a 64 bit integer")
        }
    }

    /// The digits in `__id123__`, with a sign if negative; `nil` for zero, other spellings and other names.
    private static func numericPart(of identifier: String) -> Substring? {
        guard identifier.hasPrefix("__id"), identifier.hasSuffix("__"), identifier.utf8.count > 6 else { return nil }
        let number = identifier.dropFirst(4).dropLast(2)
        let digits = number.hasPrefix("-") ? number.dropFirst() : number
        guard let first = digits.utf8.first, first != UInt8(ascii: "0") else { return nil }
        let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? number : nil
    }

    /// The number in `__id123__`, the form in which Datastore's numeric ids appear; only its canonical spelling.
    package static func numericValue(of identifier: String) -> Int64? {
        guard identifier.hasPrefix("__id"), identifier.hasSuffix("__"), identifier.utf8.count > 6 else { return nil }
        let digits = identifier.dropFirst(4).dropLast(2)
        guard let number = Int64(digits), digits.elementsEqual(String(number)) else { return nil }
        return number
    }

    /// Whether a name is `__x__`, which Firestore keeps for itself; `____` is not.
    package static func isReserved(_ name: String) -> Bool {
        name.utf8.count > 4 && name.hasPrefix("__") && name.hasSuffix("__")
    }
}

extension [String] {
    /// Checks collection and document ids in turn.
    func validateIDs() throws {
        for (index, identifier) in enumerated() {
            try ResourceID.validate(identifier, as: index.isMultiple(of: 2) ? .collection : .document)
        }
    }
}

extension String {
    /// The segments between slashes.
    ///
    /// Compared by bytes: a mark that combines with a slash does not make it another character.
    package var segments: [Substring] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
