// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Walks over the digits and signs of a timestamp.
package struct DigitScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int64(bytes[position] - 0x30)
    }

    /// Exactly `count` digits, within the range.
    package mutating func number(_ digitCount: Int, in range: ClosedRange<Int64> = 0...9_999) -> Int64? {
        var result: Int64 = 0
        for _ in 0..<digitCount {
            guard let next = digit() else { return nil }
            result = result * 10 + next
        }
        return range.contains(result) ? result : nil
    }

    /// The number of a month, from 1, by its English name of three letters.
    mutating func monthName() -> Int64? {
        guard position + 3 <= bytes.count else { return nil }
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        for month in 0..<12 where (0..<3).allSatisfy({ names.utf8Start[3 * month + $0] == bytes[position + $0] }) {
            position += 3
            return Int64(month + 1)
        }
        return nil
    }

    /// The fraction of a second in nanoseconds, digits behind the ninth cut; 0 when there is none.
    ///
    /// `nil` for more digits than `digitCountMax`, and for a point without any.
    package mutating func nanoseconds(digitCountMax: Int = .max) -> Int64? {
        guard take(".") else { return 0 }
        guard var result = digit() else { return nil }
        var digitCount = 1
        while let next = digit() {
            if digitCount < 9 { result = result * 10 + next }
            digitCount += 1
        }
        guard digitCount <= digitCountMax else { return nil }
        for _ in min(digitCount, 9)..<9 { result *= 10 }
        return result
    }

    /// `Z`, or an offset.
    package mutating func offsetMinutes(_ form: OffsetForm) -> Int64? {
        if form != .plain, take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2, in: 0...23) else { return nil }
        guard form == .plain || take(":") || form == .either else { return nil }
        guard let minutes = number(2, in: 0...59) else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

/// How an offset from UTC is written.
package enum OffsetForm {
    /// `+02:00`, or `Z`.
    case colon
    /// `+0200`.
    case plain
    /// Any of these.
    case either
}
