// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HummingbirdCore
import JSON
import MeterLedger
import Metering
import Wire

extension ConsoleServer {
    /// The most days that are advanced at once.
    private static let advancedDayCountMax = 366

    func quotaStatus() async throws -> Response {
        guard let quota else { throw ConsoleFailure.notMetered }
        try await WireServer.settleExchanges()
        return .json(quota.status.json, isIndented: false)
    }

    func advanceQuota(_ target: RequestTarget) async throws -> Response {
        guard let quota else { throw ConsoleFailure.notMetered }
        let text = target["days"] ?? "1"
        guard let days = Int(text), (1...Self.advancedDayCountMax).contains(days) else {
            throw ConsoleFailure.badDays(text)
        }
        quota.advance(days: days)
        return try await quotaStatus()
    }
}

extension ConsoleFailure {
    fileprivate static func badDays(_ text: String) -> Self {
        Self(status: 400, message: "The parameter 'days' cannot be '\(text)'; it is a number from 1 to 366.")
    }
}

extension QuotaStatus {
    fileprivate var json: JSONText {
        .object([
            ("profile", .object([("name", .string(profile.name)), ("asOf", .string(profile.asOf))])),
            ("day", .string(day)),
            ("resetsAt", .string(Self.time(resetMicroseconds))),
            ("overQuota", .string(profile.overQuota.rawValue)),
            ("items", .array(uses.map(\.json))),
            ("monthToDate", .object([("usd", .verbatim("\(usd)"))])),
        ])
    }

    fileprivate static func time(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000_000)).formatted(.iso8601)
    }
}

extension QuotaStatus.Use {
    fileprivate var json: JSONText {
        .object(compacting: [
            ("item", .string(item.rawValue)),
            ("used", .integer(used)),
            ("free", (free?.amount).map { .integer($0) }),
            ("per", (free?.period.rawValue).map { .string($0) }),
            ("percent", percent.map { .number($0) }),
            ("isOver", free == nil ? nil : .boolean(isOver)),
            ("runsOutAt", endMicroseconds.map { .string(QuotaStatus.time($0)) }),
        ])
    }
}
