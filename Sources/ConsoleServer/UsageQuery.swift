// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering
import Wire

/// The query of `GET /usage`.
struct UsageQuery {
    /// The forms in which usage is reported.
    enum Format: String, CaseIterable {
        case json, csv
    }

    let question: UsageQuestion
    let format: Format

    /// The order by what groups cost, beside those by a figure.
    private static let costOrder = "usd"
    private static let parameters = ["by", "every", "format", "limit", "order", "since", "tag"]

    /// Reads the parameters; those of other names are refused, since a misspelled one would change what is reported.
    ///
    /// `profile` has the prices that groups are listed with.
    init(_ target: RequestTarget, pricedBy profile: PriceProfile?) throws(ConsoleFailure) {
        if let unknown = target.query.first(where: { !Self.parameters.contains($0.name) }) {
            throw .unknownParameter(unknown.name, known: Self.parameters)
        }
        let selection = UsageSelection(since: try Self.mark(target["since"]), tag: target["tag"])
        question = UsageQuestion(
            selection,
            grouping: try Self.grouping(target, profile),
            seriesMinutes: try Self.minutes(target["every"])
        )
        format = try Self.choice("format", text: target["format"]) ?? .json
    }

    /// Whether the whole usage is asked for, without anything left out.
    var isWhole: Bool { question == UsageQuestion() }

    private static func grouping(
        _ target: RequestTarget,
        _ profile: PriceProfile?
    ) throws(ConsoleFailure) -> UsageQuestion.Grouping? {
        let dimension: UsageDimension? = try choice("by", text: target["by"])
        let isByCost = target["order"] == costOrder
        let order: UsageFigure? = isByCost ? nil : try choice("order", text: target["order"], or: [costOrder])
        let limit = try limit(target["limit"])
        return dimension.map { dimension in
            UsageQuestion.Grouping(
                by: dimension,
                order: order ?? .sent,
                prices: profile.map { UsagePrices($0, by: dimension) },
                isByCost: isByCost,
                limit: limit
            )
        }
    }

    /// The mark that a text stands for; `nil` without one.
    static func mark(_ text: String?) throws(ConsoleFailure) -> UsageMark? {
        guard let text else { return nil }
        guard let mark = UsageMark(text) else { throw .unknownMark(text) }
        return mark
    }

    private static func limit(_ text: String?) throws(ConsoleFailure) -> Int {
        typealias Grouping = UsageQuestion.Grouping
        guard let text else { return Grouping.limitDefault }
        guard let limit = Int(text), (0...Grouping.limitMax).contains(limit) else { throw .badLimit(text) }
        return limit
    }

    private static func minutes(_ text: String?) throws(ConsoleFailure) -> Int64? {
        guard let text else { return nil }
        let units: [Character: Int64] = ["m": 1, "h": 60, "d": 24 * 60]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0,
            case (let minutes, false) = count.multipliedReportingOverflow(by: unit)
        else { throw .badStep(text) }
        return minutes
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        text: String?,
        or others: [String] = []
    ) throws(ConsoleFailure) -> Choice? {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .unknownChoice(name, text: text, known: Choice.allCases.map(\.rawValue) + others)
        }
        return choice
    }
}
