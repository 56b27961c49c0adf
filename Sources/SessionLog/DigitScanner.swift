// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Walks over the digits and signs of a timestamp.
struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int64(bytes[position] - 0x30)
    }

    /// Exactly so many digits, within the range.
    mutating func number(_ digitCount: Int, in range: ClosedRange<Int64> = 0...9_999) -> Int64? {
        var result: Int64 = 0
        for _ in 0..<digitCount {
            guard let next = digit() else { return nil }
            result = result * 10 + next
        }
        return range.contains(result) ? result : nil
    }

    /// The fraction of a second in microseconds, further digits cut; 0 when there is none.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        guard var result = digit() else { return nil }
        var digitCount = 1
        while let next = digit() {
            if digitCount < 6 { result = result * 10 + next }
            digitCount += 1
        }
        for _ in min(digitCount, 6)..<6 { result *= 10 }
        return result
    }

    /// `Z`, or an offset such as `+02:00`.
    mutating func offsetMinutes() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2, in: 0...23), take(":"), let minutes = number(2, in: 0...59) else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
