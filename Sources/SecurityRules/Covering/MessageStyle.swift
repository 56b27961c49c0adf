// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The form that a library gives to JSON.
enum MessageStyle {
    /// As the library of Protocol Buffers for Java prints messages.
    case report
    /// Likewise, on one line.
    case line
    /// As the official emulator's feed of requests has it (1.19.9, 2026-11).
    ///
    /// Without a blank; each object in the order of a Java `HashMap`, numbers as those of `BigDecimal`, and some
    /// characters escaped as by org.json.
    case feed

    var isIndented: Bool { self == .report }
    var hasHashOrder: Bool { self == .feed }
    var colon: String { self == .feed ? ":" : ": " }
    var comma: String { self == .feed ? "," : ", " }

    func text(of number: Double) -> String { self == .feed ? number.javaDecimalText : number.javaText }

    /// The escape of a character in a string; `nil` where it needs none.
    func escape(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> String? {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\u{8}": "\\b"
        case "\u{C}": "\\f"
        case "/": self == .feed && previous == "<" ? "\\/" : nil
        default: isNumbered(scalar) ? scalar.escapeByNumber : nil
        }
    }

    private func isNumbered(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x2028, 0x2029: true
        case 0x80..<0xA0, 0x2000..<0x2100: self == .feed
        default: false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var escapeByNumber: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Double {
    /// The number as Java's `BigDecimal` writes it, without zeros behind the point.
    ///
    /// `1`, `1.5`, `0.00001`, `1.0E-7`, `1000000`, `1.0E+7`; there is one zero (official emulator 1.19.9, 2026-11).
    fileprivate var javaDecimalText: String {
        guard isFinite else { return javaText }
        let parts = javaText.split(separator: "E")
        let shift = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let places = parts[0].split(separator: ".")
        let digits = String((places[0] + places[1]).drop { $0 == "-" }.drop { $0 == "0" })
        guard !digits.isEmpty else { return "0" }
        let sign = self < 0 ? "-" : ""
        let scale = places[1].count - shift
        let exponent = digits.count - 1 - scale
        if scale < 0 || exponent < -6 {
            let rest = digits.dropFirst()
            let fraction = rest.isEmpty ? "" : ".\(rest)"
            return "\(sign)\(digits.prefix(1))\(fraction)E\(exponent < 0 ? "" : "+")\(exponent)"
        }
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        return sign + Self.trimmed(padded.dropLast(scale), padded.suffix(scale))
    }

    private static func trimmed(_ whole: Substring, _ fraction: Substring) -> String {
        var fraction = fraction
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
    }
}
