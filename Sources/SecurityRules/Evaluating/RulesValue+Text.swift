// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension RulesValue {
    /// The value of `string(self)`.
    var asText: RulesValue {
        switch self {
        case .string, .failure: self
        case .integer(let number): .string(String(number))
        case .float(let number): .string(number.javaText)
        case .null: .string("null")
        case .boolean(let isTrue): .string(isTrue ? "true" : "false")
        case .path(let path): .string(path.text)
        default: Builtin.string.refusal(of: [self])
        }
    }
}

extension RulesPath {
    /// Slashes and names; nothing for a capture without a value.
    var text: String {
        segments.map { segment in
            switch segment {
            case .literal(let name), .capture(_, .some(let name)): "/\(name)"
            case .glob(_, .some(let names)): names.map { "/\($0)" }.joined()
            case .capture(_, nil), .glob(_, nil), .unbound, .anywhere: "/"
            }
        }.joined()
    }
}

extension Double {
    /// The number as Java writes it: with a point always, and an exponent below 0.001 and from 10,000,000 on.
    var javaText: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
        if self == 0 { return sign == .minus ? "-0.0" : "0.0" }
        let (digits, exponent) = decimal
        let sign = self < 0 ? "-" : ""
        guard (-3..<7).contains(exponent) else {
            let rest = digits.dropFirst()
            return "\(sign)\(digits.prefix(1)).\(rest.isEmpty ? "0" : rest)E\(exponent)"
        }
        if exponent < 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)" }
        let padded = digits + String(repeating: "0", count: max(0, exponent + 2 - digits.count))
        return "\(sign)\(padded.prefix(exponent + 1)).\(padded.dropFirst(exponent + 1))"
    }

    /// The shortest digits that stand for the number, and the power of ten of the first; for the smallest numbers two digits.
    private var decimal: (digits: String, exponent: Int) {
        let text = isSubnormal ? String(format: "%.1e", magnitude) : ""
        let shortest = magnitude.description
        let parts = (text.count > shortest.count ? text : shortest).split(separator: "e")
        let places = parts[0].split(separator: ".")
        let (whole, fraction) = (places[0], places.count > 1 ? places[1] : "")
        var exponent = whole.count - 1 + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        var digits = whole + fraction
        while digits.hasPrefix("0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (String(digits), exponent)
    }
}
