// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Foundation

/// The pages of a list of collection ids.
enum CollectionIDPage {
    /// The page size when none is asked for, and the largest one given.
    static let sizeDefault = 100
    static let sizeMax = 1_000

    static func size(_ requested: Int32) throws -> Int {
        guard requested >= 0 else { throw CallError.pageSizeNegative }
        return requested == 0 ? sizeDefault : min(Int(requested), sizeMax)
    }

    /// A token is the last id of its page in base64, after a mark that no id begins with.
    static func token(after lastID: String) -> String {
        Data((mark + lastID).utf8).base64EncodedString()
    }

    /// Returns `nil` for the first page.
    static func lastID(ofToken token: String) throws -> String? {
        if token.isEmpty { return nil }
        guard let bytes = Data(base64Encoded: token), let text = bytes.withUnsafeBytes({ String(validUTF8: $0) }),
            text.utf8.starts(with: mark.utf8)
        else { throw CallError.pageTokenInvalid }
        return String(Substring(text.utf8.dropFirst(mark.utf8.count)))
    }

    private static let mark = "after/"
}

extension Proto.ListCollectionIDsResponse {
    /// Makes a page of what was found, which is up to one id more than the page holds.
    init(_ found: [String], pageSize: Int) {
        self.init()
        collectionIds = Array(found.prefix(pageSize))
        if found.count > pageSize, let lastID = collectionIds.last {
            nextPageToken = CollectionIDPage.token(after: lastID)
        }
    }
}
