// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Totals by a property of the requests.
package struct LogGrouping: Sendable {
    /// A property of requests.
    package enum Property: String, Sendable, CaseIterable {
        case object
        case user
        case hour
        case operation
    }

    /// The most groups; what belongs to more of them is one group, so that memory does not grow with a log.
    package static let groupCountMax = 1_000_000
    /// The name of the group of what belongs to no other.
    package static let rest = "others"

    let property: Property
    private var amounts: [String: LogTotals.Amount] = [:]
    /// The numbers of callers, in place of their addresses, which are not shown.
    private var users: [UInt64: Int] = [:]

    init(_ property: Property) { self.property = property }

    /// The group of a third-party log's request.
    mutating func group(of request: borrowing LoggedRequest) -> String {
        switch property {
        case .object: return Self.object(request.objectName, in: request.bucketName)
        case .hour: return Self.hour(of: request.time)
        case .operation: return request.operation.rawValue
        case .user:
            let hash = request.clientHash
            guard users[hash] == nil, users.count < Self.groupCountMax else {
                return users[hash].map { "c\($0)" } ?? Self.rest
            }
            users[hash] = users.count + 1
            return "c\(users.count)"
        }
    }

    func group(of record: UsageRecord) -> String {
        let attribution = record.attribution
        return switch property {
        case .object: attribution.object.map { Self.object($0, in: attribution.bucket ?? "") } ?? "no object"
        case .hour: Self.hour(of: record.startMicroseconds)
        case .operation: attribution.operation
        case .user: attribution.user ?? attribution.tag ?? attribution.client ?? "anonymous"
        }
    }

    mutating func add(_ byteCount: Int64, requestCount: Int64 = 1, to group: String) {
        let isFull = amounts.count >= Self.groupCountMax && amounts[group] == nil
        amounts[isFull ? Self.rest : group, default: LogTotals.Amount()].add(byteCount, requestCount: requestCount)
    }

    var groups: [(name: String, amount: LogTotals.Amount)] {
        amounts.sorted { left, right in
            property == .hour
                ? left.key < right.key
                : (right.value.byteCount, right.value.requestCount, left.key)
                    < (left.value.byteCount, left.value.requestCount, right.key)
        }.map { ($0.key, $0.value) }
    }

    private static func object(_ name: String, in bucket: String) -> String {
        name.isEmpty ? "no object" : bucket.isEmpty ? name : "\(bucket)/\(name)"
    }

    /// `2026-11-20T09:00:00Z`.
    private static func hour(of time: Int64) -> String {
        let hour: Int64 = 3_600_000_000
        return LogTime(microseconds: time / hour * hour).text
    }
}
