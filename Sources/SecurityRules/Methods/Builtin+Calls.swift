// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel
import Foundation

extension Builtin {
    /// Calls one that needs nothing but its arguments, none of which is a failure.
    func call(with arguments: [RulesValue]) -> RulesValue {
        guard forms.contains(where: { $0.count == arguments.count }) else { return refusal(of: arguments) }
        return result(of: arguments) ?? refusal(of: arguments)
    }

    private func result(of arguments: [RulesValue]) -> RulesValue? {
        switch self {
        case .string: arguments[0].asText
        case .int: Self.int(arguments[0])
        case .float: Self.float(arguments[0])
        case .path: if case .string(let text) = arguments[0] { RulesPath.parse(text) } else { nil }
        case .mathAbs, .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathIsNaN, .mathIsInfinity:
            math(arguments[0])
        case .mathPow: Self.power(arguments)
        case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C: hash(arguments[0])
        case .durationValue, .durationTime, .durationAbs: duration(arguments)
        case .timestampDate, .timestampValue: timestamp(arguments)
        case .latlngValue: Self.place(arguments)
        case .debug, .get, .exists, .getAfter, .existsAfter: nil
        }
    }

    // MARK: Conversions

    private static func int(_ value: RulesValue) -> RulesValue? {
        switch value {
        case .integer: value
        case .float(let number): .integer(number.saturated)
        case .string(let text): Int64(javaText: text).map(RulesValue.integer) ?? conversion(of: text, to: "int")
        default: nil
        }
    }

    private static func float(_ value: RulesValue) -> RulesValue? {
        switch value {
        case .integer, .float: value.number.map(RulesValue.float)
        case .string(let text): Double(javaText: text).map(RulesValue.float) ?? conversion(of: text, to: "float")
        default: nil
        }
    }

    private static func conversion(of text: String, to type: String) -> RulesValue {
        .failure(.conversion(argument: text, from: "string", to: type))
    }

    // MARK: Numbers

    private func math(_ value: RulesValue) -> RulesValue? {
        guard let number = value.number else { return nil }
        switch self {
        case .mathAbs:
            if case .integer(let integer) = value { return .integer(integer < 0 ? 0 &- integer : integer) }
            return .float(abs(number))
        case .mathCeil: return .float(number.rounded(.up))
        case .mathFloor: return .float(number.rounded(.down))
        case .mathRound: return .integer(number.roundedHalfUp.saturated)
        case .mathSqrt: return .float(number.squareRoot())
        case .mathIsNaN: return .boolean(number.isNaN)
        default: return .boolean(number.isInfinite)
        }
    }

    private static func power(_ arguments: [RulesValue]) -> RulesValue? {
        guard let base = arguments[0].number, let exponent = arguments[1].number else { return nil }
        // Java has no number for these, C has 1.
        if exponent.isNaN || (abs(base) == 1 && exponent.isInfinite) { return .float(.nan) }
        return .float(pow(base, exponent))
    }

    private static func place(_ arguments: [RulesValue]) -> RulesValue? {
        guard let latitude = arguments[0].number, let longitude = arguments[1].number else { return nil }
        let place = GeoPoint(latitude: latitude, longitude: longitude)
        guard place.isValid else {
            return .failure(
                .other(
                    """
                    Latitude should be in [-90,90] range and longitude should be in [-180,180] range. latitude: \
                    \(latitude.javaText), longitude: \(longitude.javaText).
                    """
                )
            )
        }
        return .latLng(place)
    }

    // MARK: Times

    private func duration(_ arguments: [RulesValue]) -> RulesValue? {
        switch (self, arguments[0]) {
        case (.durationAbs, .duration(let span)):
            return RulesValue(nanoseconds: Int128(span.totalNanoseconds.magnitude))
        case (.durationValue, .integer(let count)):
            guard case .string(let unit) = arguments[1] else { return nil }
            guard let length = Self.unitNanoseconds[unit] else {
                return .failure(.other("Invalid regular expression pattern. Pattern: \(unit)."))
            }
            return RulesValue(nanoseconds: Int128(count) * length)
        case (.durationTime, .integer(let hours)):
            guard
                case (.integer(let minutes), .integer(let seconds), .integer(let nanoseconds)) = (
                    arguments[1], arguments[2], arguments[3]
                )
            else { return nil }
            let total = (Int128(hours) * 3_600 + Int128(minutes) * 60 + Int128(seconds)) * 1_000_000_000
            return RulesDuration(totalNanoseconds: total + Int128(nanoseconds)).map(RulesValue.duration)
                ?? .failure(.other(RulesValue.timestampRange))
        default: return nil
        }
    }

    private static let unitNanoseconds: [String: Int128] = [
        "w": 604_800_000_000_000, "d": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000,
        "s": 1_000_000_000, "ms": 1_000_000, "ns": 1,
    ]

    private func timestamp(_ arguments: [RulesValue]) -> RulesValue? {
        switch (self, arguments[0]) {
        case (.timestampValue, .integer(let milliseconds)):
            return RulesValue(timeNanoseconds: Int128(milliseconds) * 1_000_000)
        case (.timestampValue, .string(let text)):
            return RulesTimeText.nanoseconds(text).map(RulesValue.init(timeNanoseconds:))
                ?? .failure(.other(RulesValue.timestampRange))
        case (.timestampDate, .integer(let year)):
            guard case (.integer(let month), .integer(let day)) = (arguments[1], arguments[2]) else { return nil }
            return Self.date(year, month, day)
        default: return nil
        }
    }

    private static func date(_ year: Int64, _ month: Int64, _ day: Int64) -> RulesValue {
        guard (1...9_999).contains(year) else {
            let range = "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z."
            return .failure(.other("\(range) year: \(year)."))
        }
        guard (1...12).contains(month), (1...CivilDate.dayCount(year: year, month: month)).contains(day) else {
            return .failure(.other("Date is not valid. year: \(year), month: \(month) day: \(day)."))
        }
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        return .timestamp(Timestamp(seconds: days * 86_400))
    }
}

extension Int64 {
    /// Reads a number as Java does: digits of any script.
    fileprivate init?(javaText: String) {
        let digits = javaText.map { character in
            character.isNumber ? character.wholeNumberValue.map { Character(String($0)) } ?? character : character
        }
        self.init(String(digits))
    }
}

extension Double {
    /// The integer part, as Java casts: the nearest that there is, and 0 for none.
    fileprivate var saturated: Int64 {
        isNaN ? 0 : self >= 0x1p63 ? .max : self < -0x1p63 ? .min : Int64(self)
    }

    /// The next integer, the higher one of two that are as near.
    fileprivate var roundedHalfUp: Double {
        let floor = rounded(.down)
        return self - floor >= 0.5 ? floor + 1 : floor
    }

    /// Reads a number as Java does: with blanks around, and perhaps a letter for its kind behind.
    fileprivate init?(javaText: String) {
        var text = javaText.drop { $0.isBlank }
        while text.last?.isBlank == true { text.removeLast() }
        let sign = text.first == "-" || text.first == "+" ? text.removeFirst() : "+"
        let magnitude: Double?
        switch text {
        case "NaN": magnitude = .nan
        case "Infinity": magnitude = .infinity
        default: magnitude = Self(javaDigits: text)
        }
        guard let magnitude else { return nil }
        self = sign == "-" ? -magnitude : magnitude
    }

    private init?(javaDigits: Substring) {
        var digits = javaDigits
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal, !digits.contains(where: { "pP".contains($0) }) { return nil }
        if let last = digits.last, "fFdD".contains(last) { digits.removeLast() }
        let allowed = isHexadecimal ? "0123456789abcdefABCDEF.xXpP+-" : "0123456789.eE+-"
        guard digits.allSatisfy(allowed.contains), digits.contains(where: \.isNumber),
            digits.first.map({ !"+-".contains($0) }) ?? false
        else { return nil }
        if digits.first == "." { digits = "0" + digits }
        guard let number = strictNumber(String(digits.hasSuffix(".") ? digits + "0" : digits)) else { return nil }
        self = number
    }
}

/// Reads all of a text as a number; one too large is infinite, as in Java.
private func strictNumber(_ text: String) -> Double? {
    text.withCString { start in
        var end: UnsafeMutablePointer<CChar>?
        let number = strtod(start, &end)
        return end?.pointee == 0 ? number : nil
    }
}

extension Character {
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy { $0.value <= 0x20 } }
}
