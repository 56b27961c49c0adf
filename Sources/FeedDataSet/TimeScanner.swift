// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes an RFC 3339 time apart; every part that does not fit is `nil` or `false`.
struct TimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        let value = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(value) ? value : nil
    }

    /// Nanoseconds; 0 without a decimal point.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        let digitCount = rest.prefix { (0x30...0x39).contains($0) }.count
        guard (1...9).contains(digitCount), let value = number(digits: digitCount, in: 0...999_999_999) else {
            return nil
        }
        return (digitCount..<9).reduce(value) { scaled, _ in scaled * 10 }
    }

    /// Minutes ahead of UTC.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2, in: 0...23), take(":") else { return nil }
        guard let minutes = number(digits: 2, in: 0...59) else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
