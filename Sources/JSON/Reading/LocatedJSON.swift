// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value that knows on which line of its text each of its parts begins: for files that people write.
package struct LocatedJSON: Sendable {
    /// The value.
    package let value: JSONValue
    private let text: [UInt8]
    private let places: JSONPlaces

    /// Parses UTF-8 text that holds exactly one JSON value.
    package init(parsing text: [UInt8]) throws(JSONError) {
        var parser = JSONParser(text, isLocating: true)
        value = try parser.parse()
        self.text = text
        places = parser.places ?? JSONPlaces()
    }

    /// The line on which a part begins, counted from 1; for one that is not there, that of what it would be in.
    ///
    /// The keys of objects, and the numbers of elements of arrays, lead to the part.
    package func line(of path: [String]) -> Int {
        var path = path
        while places.offset(of: path) == nil, !path.isEmpty { path.removeLast() }
        return Self.line(ofOffset: places.offset(of: path) ?? 0, in: text)
    }

    /// The line of an error in a text, counted from 1.
    package static func line(of error: JSONError, in text: [UInt8]) -> Int {
        line(ofOffset: error.column - 1, in: text)
    }

    private static func line(ofOffset offset: Int, in text: [UInt8]) -> Int {
        1 + text.prefix(offset).count { $0 == 0x0A }
    }
}
