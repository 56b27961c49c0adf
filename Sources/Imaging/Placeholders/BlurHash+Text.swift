// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension BlurHash: CustomStringConvertible {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )
    private static let valueByDigit = Dictionary(uniqueKeysWithValues: digits.enumerated().map { ($1, $0) })
    private static let base = 83
    /// The steps of an amplitude, from its most negative to its most positive.
    private static let levelCount = 19

    /// The hash as text.
    public var description: String {
        var text: [UInt8] = []
        func append(_ value: Int, digitCount: Int) {
            for position in (0..<digitCount).reversed() {
                text.append(Self.digits[value / Self.power(position) % Self.base])
            }
        }
        append(horizontalCount - 1 + (verticalCount - 1) * 9, digitCount: 1)
        let greatest = waves.dropFirst().flatMap(\.channels).map(abs).max()
        let scale = greatest.map { max(0, min(82, Int($0 * 166 - 0.5))) } ?? 0
        append(scale, digitCount: 1)
        let mean = meanColor
        append(Int(mean.red) << 16 | Int(mean.green) << 8 | Int(mean.blue), digitCount: 4)
        let amplitudeMax = greatest == nil ? 1 : Double(scale + 1) / 166
        for wave in waves.dropFirst() {
            let levels = wave.channels.map { Self.level(of: $0 / amplitudeMax) }
            append((levels[0] * Self.levelCount + levels[1]) * Self.levelCount + levels[2], digitCount: 2)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a hash; `nil` for text that is none.
    public init?(_ text: String) {
        let values = text.utf8.compactMap { Self.valueByDigit[$0] }
        guard values.count == text.utf8.count, values.count >= 6 else { return nil }
        func number(_ range: Range<Int>) -> Int { values[range].reduce(0) { $0 * Self.base + $1 } }
        let (horizontalCount, verticalCount) = (values[0] % 9 + 1, values[0] / 9 + 1)
        guard verticalCount <= 9, values.count == 4 + 2 * horizontalCount * verticalCount else { return nil }
        let mean = number(2..<6)
        guard mean < 1 << 24 else { return nil }
        var waves = [
            LinearColor(
                red: LinearColor.ofSample[mean >> 16],
                green: LinearColor.ofSample[mean >> 8 & 255],
                blue: LinearColor.ofSample[mean & 255]
            )
        ]
        let amplitudeMax = Double(values[1] + 1) / 166
        for start in stride(from: 6, to: values.count, by: 2) {
            let levels = number(start..<start + 2)
            guard levels < Self.levelCount * Self.levelCount * Self.levelCount else { return nil }
            waves.append(
                LinearColor(
                    red: Self.amplitude(of: levels / (Self.levelCount * Self.levelCount)),
                    green: Self.amplitude(of: levels / Self.levelCount % Self.levelCount),
                    blue: Self.amplitude(of: levels % Self.levelCount)
                ) * amplitudeMax
            )
        }
        self.init(horizontalCount: horizontalCount, verticalCount: verticalCount, waves: waves)
    }

    private static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * base } }

    /// Small amplitudes have finer steps.
    private static func level(of amplitude: Double) -> Int {
        let root = amplitude < 0 ? -(-amplitude).squareRoot() : amplitude.squareRoot()
        return max(0, min(levelCount - 1, Int((root * 9 + 9.5).rounded(.down))))
    }

    private static func amplitude(of level: Int) -> Double {
        let root = (Double(level) - 9) / 9
        return root < 0 ? -root * root : root * root
    }
}
