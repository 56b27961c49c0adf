// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import LogImport
package import Metering
import SessionLog

/// The totals of third-party logs, and the cost of a month at that rate.
package struct TotalsReport: Sendable {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The logs' paths, as they were given.
    let logs: [String]
    let totals: LogTotals
    let profile: PriceProfile

    /// Creates a report.
    package init(_ logs: [String], totals: LogTotals, profile: PriceProfile) {
        self.logs = logs
        self.totals = totals
        self.profile = profile
    }

    /// The days from the first request to the last, each begun one counted.
    private var dayCount: Int64 {
        guard let times = totals.figures.times else { return 1 }
        return 1 + (times.upperBound - times.lowerBound) / Self.microsecondsPerDay
    }

    /// A month of such days.
    private var forecast: Forecast {
        var usage = ServiceUsage()
        usage.add(totals.figures.billed, to: .storage)
        usage.add(totals.figures.firestoreBilled, to: .firestore)
        return Forecast(usage, profile: profile, userDayCount: dayCount, dailyUserCount: 1)
    }

    /// The report for people.
    package var table: String {
        let figures = totals.figures
        var table = TextTable(heading: ["", "requests", "bytes"])
        for (operation, amount) in totals.byOperation {
            table.add([operation, Figure.count(amount.requestCount), Figure.bytes(amount.byteCount)])
        }
        for (status, amount) in totals.byStatus {
            let name = status == 0 ? "status not told" : "status \(status)"
            table.add([name, Figure.count(amount.requestCount), Figure.bytes(amount.byteCount)])
        }
        let notes = [
            (figures.duplicateCount, "named twice, and counted once"),
            (figures.cachedCount, "answered by a cache of the client, which moved nothing"),
            (figures.sizelessCount, "without a size, counted as 0 bytes"),
            (figures.otherHostCount, "to servers other than Firebase's, not counted"),
        ].filter { $0.0 > 0 }.map { "\(Figure.counted($0.0, noun: "request")) \($0.1)\n" }
        let unreadable = figures.unreadable.sentence.map { $0 + "\n" } ?? ""
        return """
            \(logs.joined(separator: ", ")): \(Figure.counted(totals.total.requestCount, noun: "request")), \
            \(Figure.bytes(totals.total.byteCount)), \(period)

            \(table.rendered)

            \(groupsTable)\(notes.joined())\(unreadable)\(costs)
            """
    }

    private static let shownGroupCountMax = 20

    /// The first groups; the JSON has all.
    private var groupsTable: String {
        let groups = totals.groups
        guard let property = totals.groupedBy, !groups.isEmpty else { return "" }
        var table = TextTable(heading: ["by \(property.rawValue)", "requests", "bytes"])
        for (name, amount) in groups.prefix(Self.shownGroupCountMax) {
            table.add([name, Figure.count(amount.requestCount), Figure.bytes(amount.byteCount)])
        }
        let rest = groups.dropFirst(Self.shownGroupCountMax)
        if !rest.isEmpty {
            let requests = rest.reduce(0) { $0 + $1.amount.requestCount }
            let bytes = rest.reduce(0) { $0 + $1.amount.byteCount }
            table.add(["\(Figure.count(Int64(rest.count))) more", Figure.count(requests), Figure.bytes(bytes)])
        }
        return table.rendered + "\n\n"
    }

    private var period: String {
        guard let times = totals.figures.times else { return "nothing" }
        let (first, last) = (LogTime(microseconds: times.lowerBound), LogTime(microseconds: times.upperBound))
        return "from \(first.text) to \(last.text)"
    }

    private var costs: String {
        let forecast = forecast
        let quotas = forecast.quotas.map { quota in
            let runsOut = quota.period == .month ? quota.runsOutOnDay.map { ", gone on day \($0)" } ?? "" : ""
            return
                "\(Figure.wholePercent(quota.percent)) of the free \(quota.item.heading) a \(quota.period.rawValue)\(runsOut)"
        }
        let price = forecast.hasPrices ? ["\(Figure.dollars(Bill.cents(forecast.usdPerMonth))) a month"] : []
        guard !(price + quotas).isEmpty else { return "" }
        return "a month of such days: \((price + quotas).joined(separator: "; "));\n"
            + "profile \(profile.name) as of \(profile.asOf)\n"
    }

    /// The report as JSON of schema `firemeter.totals/1`, its keys sorted.
    package func json() throws -> String { try JSONReport.text(of: TotalsJSON(self)) }

    private struct TotalsJSON: Encodable {
        struct Amount: Encodable {
            let requests: Int64
            let bytes: Int64

            init(_ amount: LogTotals.Amount) { (requests, bytes) = (amount.requestCount, amount.byteCount) }
        }

        struct Profile: Encodable {
            let name: String
            let asOf: String
        }

        let schema = "firemeter.totals/1"
        let logs: [String]
        let profile: Profile
        let requests: Int64
        let bytes: Int64
        let first: String?
        let last: String?
        let operations: [String: Amount]
        let statuses: [String: Amount]
        let duplicates: Int64
        let cached: Int64
        let sizeless: Int64
        let billed: BilledUsage
        let otherHosts: Int64
        let groups: [Group]?
        let unreadable: UnreadableLines?

        struct Group: Encodable {
            let name: String
            let requests: Int64
            let bytes: Int64

            init(name: String, amount: Amount) {
                (self.name, requests, bytes) = (name, amount.requests, amount.bytes)
            }
        }

        init(_ report: TotalsReport) {
            let (totals, figures) = (report.totals, report.totals.figures)
            logs = report.logs
            profile = Profile(name: report.profile.name, asOf: report.profile.asOf)
            (requests, bytes) = totals.total
            first = figures.times.map { LogTime(microseconds: $0.lowerBound).text }
            last = figures.times.map { LogTime(microseconds: $0.upperBound).text }
            operations = Dictionary(
                uniqueKeysWithValues: totals.byOperation.map { ($0.operation, Amount($0.amount)) }
            )
            statuses = Dictionary(uniqueKeysWithValues: totals.byStatus.map { (String($0.status), Amount($0.amount)) })
            duplicates = figures.duplicateCount
            otherHosts = figures.otherHostCount
            cached = figures.cachedCount
            sizeless = figures.sizelessCount
            billed = figures.billed + figures.firestoreBilled
            unreadable = figures.unreadable.count > 0 ? figures.unreadable : nil
            groups = totals.groups.isEmpty ? nil : totals.groups.map { Group(name: $0.name, amount: Amount($0.amount)) }
        }
    }
}
