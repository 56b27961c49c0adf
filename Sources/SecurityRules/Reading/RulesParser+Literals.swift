// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension RulesParser {
    /// Takes a number or a text.
    mutating func literal() -> RulesValue {
        let token = token
        advance()
        switch token.kind {
        case .integer:
            if let number = Int64(token.text) { return .integer(number) }
            remark("Invalid number literal \(token.text).", at: token.range)
            return .integer(0)
        case .float:
            // Swift reads neither `1.` nor `.5`.
            if let number = Double("0\(token.text)0") { return .float(number) }
            remark("Invalid number literal \(token.text).", at: token.range)
            return .float(0)
        case .bytes:
            if let bytes = unescaped(token, isBytes: true) { return .bytes(bytes) }
            remark("Invalid bytes literal \(token.text).", at: token.range)
            return .bytes([])
        default:
            return .string(string(token))
        }
    }

    /// The text of a literal.
    func string(_ token: Token) -> String { String(decoding: unescaped(token, isBytes: false) ?? [], as: UTF8.self) }

    /// `nil` for an escape that there is not.
    private func unescaped(_ token: Token, isBytes: Bool) -> [UInt8]? {
        let content = Array(token.text.utf8.dropFirst(isBytes ? 2 : 1).dropLast())
        guard content.contains(UInt8(ascii: "\\")) else { return content }
        var result: [UInt8] = []
        var rest = content[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let escaped = Self.escaped(&rest, isBytes: isBytes) else { return nil }
            result += escaped
        }
        return result
    }

    /// Takes what follows a backslash.
    private static func escaped(_ rest: inout ArraySlice<UInt8>, isBytes: Bool) -> [UInt8]? {
        guard let byte = rest.popFirst() else { return nil }
        switch Character(Unicode.Scalar(byte)) {
        case "n": return [UInt8(ascii: "\n")]
        case "t": return [UInt8(ascii: "\t")]
        case "r": return [UInt8(ascii: "\r")]
        case "b": return [0x08]
        case "f": return [0x0C]
        case "\\", "'", "\"": return [byte]
        case "x": return scalar(&rest, digits: 2, radix: 16, isByte: isBytes)
        case "u" where !isBytes: return scalar(&rest, digits: 4, radix: 16, isByte: false)
        case "0"..."3":
            rest = [byte] + rest
            return scalar(&rest, digits: 3, radix: 8, isByte: isBytes)
        default: return nil
        }
    }

    private static func scalar(
        _ rest: inout ArraySlice<UInt8>,
        digits: Int,
        radix: Int,
        isByte: Bool
    ) -> [UInt8]? {
        let text = String(decoding: rest.prefix(digits), as: UTF8.self)
        guard text.count == digits, let number = UInt32(text, radix: radix) else { return nil }
        rest = rest.dropFirst(digits)
        if isByte { return UInt8(exactly: number).map { [$0] } }
        // Half of a pair stands for nothing by itself.
        return Array(String(Character(Unicode.Scalar(number) ?? "?")).utf8)
    }
}
