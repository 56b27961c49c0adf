// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// A bound of a figure, as a budget has it: `<50MB`, `<=200`, `<800ms`, `<5%`, `<$20`, `<0.2x baseline`, `<1.05x former`.
struct Threshold: Sendable, Hashable {
    /// How a figure must stand to the bound.
    enum Comparison: String, Sendable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case below = "<"
        case above = ">"

        func holds(_ figure: Double, bound: Double) -> Bool {
            switch self {
            case .atMost: figure <= bound
            case .atLeast: figure >= bound
            case .below: figure < bound
            case .above: figure > bound
            }
        }
    }

    /// The bound.
    enum Bound: Sendable, Hashable {
        /// A number, in the unit of the figure.
        case number(Double)
        /// A multiple of what the first strategy has.
        case timesBaseline(Double)
        /// A multiple of what the same strategy had in the former report.
        case timesFormer(Double)
    }

    /// The bound as it was written.
    let text: String
    let comparison: Comparison
    let bound: Bound

    /// Reads a bound of a figure of a unit; `nil` when it is none.
    init?(_ text: String, of unit: ReportColumn.Unit) {
        self.text = text
        guard let comparison = Comparison.allCases.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        self.comparison = comparison
        let rest = text.dropFirst(comparison.rawValue.count).drop { $0 == " " }
        if let times = Self.times(rest, suffix: "x baseline") {
            bound = .timesBaseline(times)
        } else if let times = Self.times(rest, suffix: "x former") {
            bound = .timesFormer(times)
        } else if let number = Self.number(rest, in: unit) {
            bound = .number(number)
        } else {
            return nil
        }
    }

    /// An example of a bound in a unit.
    static func example(of unit: ReportColumn.Unit) -> String {
        switch unit {
        case .bytes: "<50MB"
        case .milliseconds: "<800ms"
        case .percent: "<5%"
        case .dollars: "<$20"
        case .count: "<200"
        case .ratio: "<0.5"
        }
    }

    private static func times(_ text: Substring, suffix: String) -> Double? {
        text.hasSuffix(suffix) ? decimal(text.dropLast(suffix.count)) : nil
    }

    private static func number(_ text: Substring, in unit: ReportColumn.Unit) -> Double? {
        switch unit {
        case .bytes: ByteSize(text).map { Double($0.byteCount) }
        case .milliseconds where text.hasSuffix("ms"): decimal(text.dropLast(2))
        case .milliseconds where text.hasSuffix("s"): decimal(text.dropLast()).map { 1_000 * $0 }
        case .percent where text.hasSuffix("%"): decimal(text.dropLast())
        case .dollars where text.hasPrefix("$"): decimal(text.dropFirst())
        case .count, .ratio, .dollars, .percent: decimal(text)
        case .milliseconds: nil
        }
    }

    /// A decimal number without a sign, an exponent or spaces.
    private static func decimal(_ text: Substring) -> Double? {
        text.first?.isNumber == true && text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
            ? Double(text) : nil
    }
}
