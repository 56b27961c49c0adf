// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A value during a quick judgement: where it is, rather than the value itself.
enum QuickValue {
    /// There is none.
    case failed
    case null
    case boolean(Bool)
    case integer(Int64)
    case float(Double)
    /// UTF-8, in what outlasts the judgement.
    case text(UnsafeRawBufferPointer)
    /// A value of a document that is more than one number or text.
    case encoded(EncodedValue)
    case request
    case user
    case document(QuickDocument)
    case fields(QuickDocument)
    /// The value at a place among those that had to be made.
    case made(Int)

    var isBoolean: Bool {
        if case .boolean = self { true } else { false }
    }
}

/// The documents of a request.
enum QuickDocument {
    /// `resource`.
    case former
    /// `request.resource`.
    case new
}
