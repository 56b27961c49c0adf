// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

import struct Foundation.Data

/// The values of the last document of a page, in the order of the listing.
struct PageToken: CustomStringConvertible {
    private let values: [Value]

    init(_ values: [Value]) {
        self.values = values
    }

    /// - Throws: `FirestoreError` (invalid argument) for a text that is not a token of a listing in this order.
    init(parsing text: String, count: Int) throws {
        guard let data = Data(base64Encoded: text),
            let fields = try? FieldsDecoder.decode(Array(data)),
            case .array(let values) = fields[Self.field], values.count == count,
            values.last?.tag == .reference
        else { throw FirestoreError.invalidPageToken }
        self.values = values
    }

    var cursor: Query.Cursor { Query.Cursor(values: values, before: false) }

    var description: String {
        Data(FieldsEncoder.encode([Self.field: .array(values)])).base64EncodedString()
    }

    private static let field = "after"
}
