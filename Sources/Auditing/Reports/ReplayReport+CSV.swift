// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ReplayReport {
    /// The report as comma-separated values: a line for each strategy, a column for each figure by its name in the JSON.
    var csv: String {
        let figures = figures
        let names = figures.names
        let lines = figures.rows.map { row in
            ([row.strategy] + names.map { row.figures[$0].map(Self.plain) ?? "" }).map(Self.field).joined(
                separator: ","
            )
        }
        return ((["strategy"] + names).map(Self.field).joined(separator: ",") + "\r\n")
            + lines.map { $0 + "\r\n" }.joined()
    }

    /// Whole numbers without a fraction.
    private static func plain(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }

    /// A field as RFC 4180 has it.
    private static func field(_ text: String) -> String {
        // By scalars: a line break of two is one character, and a quote with an accent another than a quote.
        let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}
