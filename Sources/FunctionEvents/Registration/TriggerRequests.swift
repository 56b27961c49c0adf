// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

/// The answer to a request that registers a trigger, in JSON.
package struct TriggerAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]

    init(status: Int = 200, _ body: JSONText) {
        self.status = status
        self.body = Array(body.rendered(isIndented: false).utf8)
    }

    init(_ failure: TriggerFailure) {
        let error: [(String, JSONText)] = [
            ("code", .integer(Int64(failure.code.status))), ("message", .string(failure.message)),
            ("status", .string(failure.code.rawValue)),
        ]
        self.init(status: failure.code.status, .object([("error", .object(error))]))
    }
}

/// Reads requests of the Functions emulator to Firestore's.
///
///     PUT  /emulator/v1/projects/P/triggers/KEY                           generation 1
///     POST /emulator/v1/projects/P/eventarcTrigger?eventarcTriggerId=KEY  generation 2
///
/// Source: the official emulator of Firestore, 1.22.0 (recorded 2026-11). As there, triggers cannot be deleted.
enum TriggerRequests {
    /// The largest body.
    static let bodyByteCountMax = 64 << 10

    private static let prefix = "/emulator/v1/projects/"

    /// A trigger to be registered.
    struct Request {
        let project: String
        let trigger: DocumentTrigger
        let answer: TriggerAnswer
    }

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - target: Its path and query, as they were sent.
    ///   - body: Its body.
    /// - Returns: The trigger; `nil` for a request that is for others.
    /// - Throws: ``TriggerFailure``.
    static func read(method: String, target: String, body: [UInt8]) throws(TriggerFailure) -> Request? {
        guard target.hasPrefix(prefix), let target = RequestTarget(target) else { return nil }
        let parts = target.path.dropFirst(prefix.count).split(
            separator: "/",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count >= 2, let project = PercentCoding.decode(parts[0]), !project.isEmpty else { return nil }
        switch (method, parts[1], parts.count) {
        case ("PUT", "triggers", 3):
            guard let key = PercentCoding.decode(parts[2]) else { throw .invalidKey }
            let trigger = try DocumentTrigger(legacy: json(body), key: key, project: project)
            return Request(project: project, trigger: trigger, answer: TriggerAnswer(.object([])))
        case (_, "triggers", 3): throw .notRegistered(PercentCoding.decode(parts[2]) ?? "")
        case ("POST", "eventarcTrigger", 2):
            let json = try json(body)
            let trigger = try DocumentTrigger(cloudEvent: json, key: target["eventarcTriggerId"] ?? "")
            return Request(project: project, trigger: trigger, answer: TriggerAnswer(echo(json)))
        default: return nil
        }
    }

    private static func json(_ body: [UInt8]) throws(TriggerFailure) -> JSONValue {
        guard body.count <= bodyByteCountMax else { throw .bodyTooLong }
        do {
            return try JSONValue(parsing: body)
        } catch {
            throw .malformedBody(error.description)
        }
    }

    private static func echo(_ json: JSONValue) -> JSONText {
        .verbatim(String(decoding: json.encoded, as: UTF8.self))
    }
}
