// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import JSON
import NIOConcurrencyHelpers
import Testing

@testable import FunctionEvents

/// Bodies as the Functions emulator sends them.
enum Samples {
    static let legacyTarget = "/emulator/v1/projects/demo/triggers/us-central1-first-0"
    static let legacy = """
        {"eventTrigger":{"eventType":"providers/cloud.firestore/eventTypes/document.write",\
        "resource":"projects/demo/databases/(default)/documents/notes/{note}","service":"firestore.googleapis.com"}}
        """
    static let cloudEventTarget = "/emulator/v1/projects/demo/eventarcTrigger?eventarcTriggerId=us-central1-second-0"
    static let cloudEvent = """
        {"eventType":"google.cloud.firestore.document.v1.written","database":"(default)","namespace":"(default)",\
        "document":{"value":"notes/{note}","matchType":"PATH_PATTERN"}}
        """

    static let time = Timestamp(seconds: 1_800_000_000, nanoseconds: 123_456_000)

    static func document(_ path: String, _ fields: [String: Value]) throws -> Document {
        Document(path: try DocumentPath(parsing: path), fields: fields, createTime: time, updateTime: time)
    }

    static func write(
        _ path: String,
        _ before: [String: Value]?,
        _ after: [String: Value]?,
        database: String = "(default)",
        principal: EventPrincipal = .unknown
    ) throws -> ChangedDocument {
        ChangedDocument(
            database: DatabaseID(project: "demo", database: database),
            path: try DocumentPath(parsing: path),
            before: try before.map { try document(path, $0) },
            after: try after.map { try document(path, $0) },
            commitTime: time,
            principal: principal
        )
    }
}

/// A request that an event was sent with.
struct Posted: Sendable {
    let url: String
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    func json() throws -> JSONValue { try JSONValue(parsing: body) }
}

/// A service that takes events, answers as it is asked to, and reports how much is out.
final class Recorder: EventPosting {
    struct State {
        var posted: [Posted] = []
        var answers: [Result<Int, EventPostError>] = []
        var outCount = 0
        var outCountMax = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isHolding = false
    }

    let state = NIOLockedValueBox(State())

    /// Answers the next events; those after them succeed.
    func answer(_ answers: [Result<Int, EventPostError>]) { state.withLockedValue { $0.answers = answers } }

    /// Keeps answers back until ``release()``.
    func hold() { state.withLockedValue { $0.isHolding = true } }

    func release() {
        let waiting = state.withLockedValue { state in
            defer { (state.waiting, state.isHolding) = ([], false) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    var posted: [Posted] { state.withLockedValue { $0.posted } }
    var outCountMax: Int { state.withLockedValue { $0.outCountMax } }

    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to url: String,
        timeout: Duration
    ) async throws(EventPostError) -> Int {
        state.withLockedValue { state in
            state.posted.append(Posted(url: url, headers: headers, body: body))
            state.outCount += 1
            state.outCountMax = max(state.outCountMax, state.outCount)
        }
        await withCheckedContinuation { continuation in
            let isHeld = state.withLockedValue { state in
                if state.isHolding { state.waiting.append(continuation) }
                return state.isHolding
            }
            if !isHeld { continuation.resume() }
        }
        let answer = state.withLockedValue { state in
            state.outCount -= 1
            return state.answers.isEmpty ? .success(200) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}

/// A sender of events with a service, a clock and warnings of its own.
struct Harness {
    let recorder = Recorder()
    let events: FunctionEvents
    private let now = NIOLockedValueBox<Int64>(1_800_000_000_000_000)
    private let sleeps = NIOLockedValueBox<[Duration]>([])
    private let reports = NIOLockedValueBox<[String]>([])

    /// Creates a sender; a sleep fails, as in a task that is cancelled, once the test is at its end.
    init(
        urls: [String] = [],
        limits: EventLimits = EventLimits(),
        project: String? = nil,
        isEnded: @escaping @Sendable () -> Bool = { false }
    ) throws {
        var destinations = EventDestinations(functions: FunctionsAddress("127.0.0.1:5001"))
        destinations.functionsProject = project
        destinations.subscriptions = try urls.map(EventSubscription.init(parsing:))
        let ids = NIOLockedValueBox(0)
        events = FunctionEvents(
            destinations,
            limits: limits,
            poster: recorder,
            clock: EventClock(
                microseconds: { [now] in now.withLockedValue { $0 } },
                sleep: { [sleeps] pause in
                    sleeps.withLockedValue { $0.append(pause) }
                    if isEnded() { throw CancellationError() }
                }
            ),
            makeID: {
                ids.withLockedValue { count in
                    count += 1
                    return "event-\(count)"
                }
            },
            report: { [reports] warning in reports.withLockedValue { $0.append(warning) } }
        )
    }

    var pauses: [Duration] { sleeps.withLockedValue { $0 } }
    var warnings: [String] { reports.withLockedValue { $0 } }

    /// Lets time pass.
    func advance(seconds: Int64) { now.withLockedValue { $0 += seconds * 1_000_000 } }

    /// Registers a trigger of generation 1 on notes.
    func registerFirst() throws {
        let answer = events.answer(method: "PUT", target: Samples.legacyTarget, body: Array(Samples.legacy.utf8))
        #expect(answer?.status == 200)
    }

    /// Registers a trigger of generation 2, on notes where no other type or pattern is asked for.
    func registerSecond(type: String = "written", pattern: String = "notes/{note}") throws {
        let body = Samples.cloudEvent.replacing("v1.written", with: "v1.\(type)").replacing(
            "notes/{note}",
            with: pattern
        )
        let answer = events.answer(method: "POST", target: Samples.cloudEventTarget, body: Array(body.utf8))
        #expect(answer?.status == 200)
    }
}
