// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Wire

/// What `GET /usage` asks for.
struct UsageQuery {
    let dimension: UsageDimension?
    let mark: UsageMark?

    /// Reads `by` and `since`; other parameters are ignored.
    init(_ target: RequestTarget) throws(ConsoleFailure) {
        dimension = try Self.dimension(target["by"])
        mark = try Self.mark(target["since"])
    }

    private static func dimension(_ name: String?) throws(ConsoleFailure) -> UsageDimension? {
        guard let name else { return nil }
        guard let dimension = UsageDimension(rawValue: name) else { throw .unknownDimension(name) }
        return dimension
    }

    private static func mark(_ text: String?) throws(ConsoleFailure) -> UsageMark? {
        guard let text else { return nil }
        guard let mark = UsageMark(text) else { throw .unknownMark(text) }
        return mark
    }
}
