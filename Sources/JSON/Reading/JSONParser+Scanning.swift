// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    func peek() -> UInt8? { position < text.count ? text[position] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    func error(_ message: String) -> JSONError { JSONError(message: message, column: position + 1) }

    /// Refuses bytes that are no UTF-8, which `String(decoding:)` would silently replace.
    func checkUTF8() throws(JSONError) {
        guard text.contains(where: { $0 >= 0x80 }) else { return }
        var decoder = Unicode.UTF8()
        var bytes = text.makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue: continue
            case .emptyInput: return
            case .error: throw JSONError(message: "the text is not UTF-8", column: 1)
            }
        }
    }

    /// A number: the grammar is checked byte by byte because `Int64` and `Double` accept more than JSON does.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        var isInteger = true
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let literal = String(decoding: text[start..<position], as: UTF8.self)
        // "-0" is kept as text: the integer 0 would lose its sign.
        guard isInteger, literal != "-0", let integer = Int64(literal) else { return .number(literal) }
        return .integer(integer)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw error("expected a digit") }
    }
}
