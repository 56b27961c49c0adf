// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Collections in a text column: NULL when empty, so that plain objects cost no parsing.
enum JSONColumn {
    static func encode<Value: Collection & Encodable>(unlessEmpty value: Value) throws -> String? {
        value.isEmpty ? nil : try encode(value)
    }

    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ text: String?) throws -> Value? {
        guard let text else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw ObjectStoreError.rowUnreadable("JSON")
        }
    }
}
