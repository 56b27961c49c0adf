// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSONReading

extension StorageCall {
    /// Receives a body that describes an object.
    func objectWish() async throws -> ObjectWish {
        try ObjectWish(parsing: await WholeBody(of: request).collected(upTo: ObjectWish.byteCountMax))
    }

    /// Receives a body that must be a JSON object; an empty one counts as an empty object.
    func jsonBody() async throws -> [String: JSONValue] {
        try await objectWish().members
    }
}
