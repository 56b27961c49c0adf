// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Writes the members of a JSON object one by one, where thousands of objects a second are written.
struct MemberWriter {
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// Begins an object behind what is there.
    init(to bytes: inout [UInt8]) {
        // Taken over until the end: a second holder would have all of them copied.
        swap(&self.bytes, &bytes)
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a text; a member without one is left out.
    mutating func add(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        begin(key)
        bytes.appendJSON(text)
    }

    /// Adds a whole number.
    mutating func add(_ key: StaticString, _ number: Int64) {
        begin(key)
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Adds a finite number.
    mutating func add(_ key: StaticString, _ number: Double) {
        begin(key)
        bytes.append(contentsOf: String(describing: number).utf8)
    }

    /// Begins an object within.
    mutating func open(_ key: StaticString) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    /// Ends the object within.
    mutating func close() {
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Ends the object, and gives back what it was written behind.
    mutating func end(into bytes: inout [UInt8]) {
        self.bytes.append(UInt8(ascii: "}"))
        swap(&bytes, &self.bytes)
    }

    private mutating func begin(_ key: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}
