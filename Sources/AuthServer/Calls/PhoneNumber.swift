// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Phone numbers as production keeps them.
enum PhoneNumber {
    /// The digits of the letters from A to Z on a telephone (ITU-T E.161).
    private static let keypad = Array("22233344455566677778889999")
    /// The longest number of E.164 (ITU-T), and the shortest that we take.
    private static let digitCounts = 5...15

    /// Returns a text with digits in the place of letters.
    static func dialled(_ text: String) -> String { String(text.map(digit)) }

    /// Returns a plus sign and digits; `nil` for a number that begins with a zero, or has too few digits or too many.
    static func normalized(_ text: String) -> String? {
        let digits = text.map(digit).filter { $0.isASCII && $0.isNumber }
        guard digitCounts.contains(digits.count), digits.first != "0" else { return nil }
        return "+" + String(digits)
    }

    /// The digit of a letter; other characters are as they are.
    private static func digit(_ character: Character) -> Character {
        guard let byte = character.lowercased().utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte),
            character.isASCII
        else { return character }
        return keypad[Int(byte - UInt8(ascii: "a"))]
    }
}
