// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension String {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        switch (method, arguments.count) {
        case (.size, 0): .integer(Int64(utf16.count))
        case (.lower, 0): .string(mappingASCII { $0.isUpper ? $0 + 32 : $0 })
        case (.upper, 0): .string(mappingASCII { $0.isLower ? $0 - 32 : $0 })
        case (.trim, 0): .string(trimmed)
        case (.toUtf8, 0): .bytes(Array(utf8))
        case (.matches, 1), (.split, 1):
            if case .string(let expression) = arguments[0] { search(method, expression) } else { nil }
        case (.replace, 2):
            if case (.string(let expression), .string(let template)) = (arguments[0], arguments[1]) {
                Pattern.with(expression) { $0.replacing(in: self, with: template) }
            } else {
                nil
            }
        default: nil
        }
    }

    private func search(_ method: Method, _ expression: String) -> RulesValue {
        Pattern.with(expression) { pattern in
            method == .matches ? .boolean(pattern.matches(self)) : .list(pattern.splitting(self).map(RulesValue.string))
        }
    }

    private func mappingASCII(_ map: (UInt8) -> UInt8) -> String { String(decoding: utf8.map(map), as: UTF8.self) }

    /// Without the characters up to the space at both ends, as Java's `trim`.
    private var trimmed: String {
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else {
            return ""
        }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUpper: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isLower: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
