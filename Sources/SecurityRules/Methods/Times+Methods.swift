// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel

extension Timestamp {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard arguments.isEmpty else { return nil }
        let (day, second) = seconds.dividedFloor(by: 86_400)
        let date = CivilDate(daysSinceEpoch: day)
        switch method {
        case .date: return .timestamp(Timestamp(seconds: day * 86_400))
        case .time: return RulesValue(nanoseconds: Int128(second) * 1_000_000_000 + Int128(nanoseconds))
        case .year: return .integer(date.year)
        case .month: return .integer(date.month)
        case .day: return .integer(date.day)
        case .dayOfWeek: return .integer(date.weekday == 0 ? 7 : Int64(date.weekday))
        case .dayOfYear: return .integer(day - CivilDate(year: date.year, month: 1, day: 1).daysSinceEpoch + 1)
        case .hours: return .integer(second / 3_600)
        case .minutes: return .integer(second / 60 % 60)
        case .seconds: return .integer(second % 60)
        case .nanos: return .integer(Int64(nanoseconds))
        case .toMillis: return .integer(seconds * 1_000 + Int64(nanoseconds) / 1_000_000)
        default: return nil
        }
    }
}

extension RulesDuration {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard arguments.isEmpty else { return nil }
        switch method {
        case .seconds: return .integer(seconds)
        case .nanos: return .integer(Int64(nanoseconds))
        default: return nil
        }
    }
}
