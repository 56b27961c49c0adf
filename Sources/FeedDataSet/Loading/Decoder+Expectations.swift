// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Decoding whose errors name the path in the file and what was expected there.
extension Decoder {
    /// The keys of an object.
    func object<Key: CodingKey>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        do {
            return try container(keyedBy: keys)
        } catch is DecodingError {
            throw FeedDataSetError.illTyped(codingPath.described, expected: "an object")
        }
    }
}

extension KeyedDecodingContainer {
    /// The value of a key that must be there.
    func value<Value: Decodable>(_ key: Key, expected: String) throws -> Value {
        let path = (codingPath + [key]).described
        guard contains(key) else { throw FeedDataSetError.missing(path, expected: expected) }
        do {
            return try decode(Value.self, forKey: key)
        } catch let error as FeedDataSetError {
            throw error
        } catch {
            // Not always a DecodingError: a number out of range is an error private to Foundation (Swift 6.3).
            throw FeedDataSetError.illTyped(path, expected: expected)
        }
    }

    /// The value of a key that may be missing.
    func value<Value: Decodable>(_ key: Key, expected: String, default fallback: Value) throws -> Value {
        contains(key) ? try value(key, expected: expected) : fallback
    }
}

extension [any CodingKey] {
    /// The way to a value, or the name of the file for the whole.
    var described: String { isEmpty ? "feed.json" : path }
}
