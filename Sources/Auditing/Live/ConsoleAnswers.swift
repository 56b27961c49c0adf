// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering

/// A service in the answer to `GET /emulators`.
struct ListenerAnswer: Decodable {
    let host: String
    let port: Int

    var url: URL? { URL(string: "http://\(host):\(port)") }
}

/// A moment of the meter: the answer to `POST /usage/marks`.
struct MarkAnswer: Decodable {
    let mark: String
}

/// The answer to `GET /usage`.
struct UsageAnswer: Decodable {
    struct Bytes: Decodable {
        let received: Int64
        let sent: Int64
        let bodySent: Int64
    }

    let requests: Int64
    let bytes: Bytes
    let billed: BilledUsage

    /// The totals; how much of what was received is body is not known and counts as header.
    var totals: UsageTotals {
        UsageTotals(
            requests: requests,
            received: TransferredBytes(header: bytes.received, body: 0, wire: bytes.received),
            sent: TransferredBytes(header: bytes.sent - bytes.bodySent, body: bytes.bodySent, wire: bytes.sent),
            billed: billed
        )
    }
}

/// The answer to `GET /usage?by=service`.
struct ServiceUsageAnswer: Decodable {
    struct Group: Decodable {
        let key: String
        let billed: BilledUsage
    }

    let total: UsageAnswer
    let groups: [Group]

    var billed: ServiceUsage {
        var billed = ServiceUsage()
        for group in groups {
            if let service = UsageAttribution.Service(rawValue: group.key) { billed.add(group.billed, to: service) }
        }
        return billed
    }
}

/// An answer that says why there is none.
struct FailureAnswer: Decodable {
    struct Failure: Decodable {
        let message: String
    }

    let error: Failure

    static func reason(of status: Int, body: Data, to request: String) -> String {
        // A proxy in between may answer with a page of HTML: then the status alone must do.
        let failure = try? JSONDecoder().decode(Self.self, from: body)
        let message = failure.map { ": \($0.error.message)" } ?? ""
        return "answers \(request) with status \(status)\(message)"
    }
}
