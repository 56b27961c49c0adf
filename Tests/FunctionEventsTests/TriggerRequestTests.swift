// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Testing

@testable import FunctionEvents

@Suite struct `Requests that register triggers` {
    private let harness = try? Harness()

    private func answer(_ method: String, _ target: String, _ body: String) throws -> (status: Int, json: JSONValue)? {
        let events = try #require(harness).events
        guard let answer = events.answer(method: method, target: target, body: Array(body.utf8)) else { return nil }
        return (answer.status, try JSONValue(parsing: answer.body))
    }

    @Test func `a trigger of generation 1 is answered with an empty object`() throws {
        let answer = try #require(try answer("PUT", Samples.legacyTarget, Samples.legacy))
        #expect(answer.status == 200)
        #expect(answer.json == .object([:]))
        #expect(try #require(harness).events.triggerCount == 1)
    }

    @Test func `a trigger of generation 2 is answered with itself`() throws {
        let answer = try #require(try answer("POST", Samples.cloudEventTarget, Samples.cloudEvent))
        #expect(answer.status == 200)
        #expect(answer.json == (try JSONValue(parsing: Array(Samples.cloudEvent.utf8))))
    }

    @Test func `a trigger takes the place of one with its key`() throws {
        for _ in 1...3 { _ = try answer("PUT", Samples.legacyTarget, Samples.legacy) }
        #expect(try #require(harness).events.triggerCount == 1)
    }

    @Test(arguments: [
        ("GET", "/emulator/v1/projects/demo:securityRules"),
        ("DELETE", "/emulator/v1/projects/demo/databases/(default)/documents"),
        ("GET", "/emulator/v1/projects/demo/eventarcTrigger"), ("PUT", "/emulator/v1/projects//triggers/x"),
        ("PUT", "/emulator/v1/projects/demo/triggers"), ("PUT", "/v1/projects/demo/triggers/x"), ("PUT", ""),
    ])
    func `other requests are for others`(method: String, target: String) throws {
        #expect(try answer(method, target, "{}") == nil)
    }

    @Test(arguments: [
        ("DELETE", Samples.legacyTarget, "", 404, "NOT_FOUND"),
        ("PUT", Samples.legacyTarget, "", 400, "INVALID_ARGUMENT"),
        ("PUT", Samples.legacyTarget, "{}", 400, "INVALID_ARGUMENT"),
        ("PUT", Samples.legacyTarget, "[[[", 400, "INVALID_ARGUMENT"),
        ("PUT", Samples.legacyTarget, String(repeating: " ", count: 70_000), 400, "INVALID_ARGUMENT"),
        ("PUT", Samples.legacyTarget, String(repeating: "[", count: 1_000), 400, "INVALID_ARGUMENT"),
        ("PUT", Samples.legacyTarget, #"{"eventTrigger":{"eventType":7,"resource":"x"}}"#, 400, "INVALID_ARGUMENT"),
        (
            "PUT", Samples.legacyTarget, Samples.legacy.replacing("document.write", with: "document.read"), 400,
            "INVALID_ARGUMENT"
        ),
        (
            "PUT", Samples.legacyTarget, Samples.legacy.replacing("projects/demo", with: "projects/other"), 400,
            "INVALID_ARGUMENT"
        ),
        ("PUT", Samples.legacyTarget, Samples.legacy.replacing("/documents/", with: "/"), 400, "INVALID_ARGUMENT"),
        ("PUT", "/emulator/v1/projects/demo/triggers/", Samples.legacy, 400, "INVALID_ARGUMENT"),
        ("PUT", "/emulator/v1/projects/demo/triggers/%zz", Samples.legacy, 400, "INVALID_ARGUMENT"),
        ("POST", "/emulator/v1/projects/demo/eventarcTrigger", Samples.cloudEvent, 400, "INVALID_ARGUMENT"),
        (
            "POST", Samples.cloudEventTarget, Samples.cloudEvent.replacing("PATH_PATTERN", with: "REGEX"), 400,
            "INVALID_ARGUMENT"
        ),
        (
            "POST", Samples.cloudEventTarget, Samples.cloudEvent.replacing("notes/{note}", with: "notes"), 400,
            "INVALID_ARGUMENT"
        ),
        (
            "POST", Samples.cloudEventTarget, #"{"eventType":"google.cloud.firestore.document.v1.written"}"#, 400,
            "INVALID_ARGUMENT"
        ),
    ])
    func `a refusal has the form of Google's`(
        method: String,
        target: String,
        body: String,
        status: Int,
        name: String
    ) throws {
        let answer = try #require(try answer(method, target, body))
        #expect(answer.status == status)
        #expect(answer.json["error"]?["code"]?.integer == Int64(status))
        #expect(answer.json["error"]?["status"]?.string == name)
        #expect(answer.json["error"]?["message"]?.string?.isEmpty == false)
        #expect(try #require(harness).events.triggerCount == 0)
    }

    @Test func `without a Functions emulator, a registration says how to name one`() throws {
        let events = FunctionEvents(EventDestinations(), clock: EventClock(microseconds: { 0 })) { _ in }
        let answer = try #require(
            events.answer(method: "PUT", target: Samples.legacyTarget, body: Array(Samples.legacy.utf8))
        )
        let error = try JSONValue(parsing: answer.body)["error"]
        #expect(error?["status"]?.string == "FAILED_PRECONDITION")
        #expect(error?["message"]?.string?.contains("--functions") == true)
    }

    @Test func `the number of triggers is bounded`() throws {
        var registry = TriggerRegistry()
        let pattern = try PathPattern("notes/{note}")
        func trigger(_ number: Int) -> DocumentTrigger {
            DocumentTrigger(
                key: "f-\(number)",
                type: DocumentEventType(.written, .legacy),
                database: "(default)",
                namespace: "(default)",
                pattern: pattern
            )
        }
        // In many projects, because the ones of one project are looked through.
        for number in 0..<TriggerRegistry.triggerCountMax {
            try registry.register(trigger(number), project: "demo-\(number)", at: 0)
        }
        #expect(throws: TriggerFailure.tooManyTriggers) {
            try registry.register(trigger(0), project: "one-too-many", at: 0)
        }
        try registry.register(trigger(0), project: "demo-0", at: 0)
    }

    @Test(arguments: [
        ("us-central1-notify-0", "us-central1-notify"), ("us-central1-group-notify-12", "us-central1-group-notify"),
        ("notify", "notify"), ("a-b", "a-b"), ("a-", "a-"),
    ])
    func `runs are counted under the function's name`(key: String, function: String) throws {
        let trigger = DocumentTrigger(
            key: key,
            type: DocumentEventType(.written, .legacy),
            database: "(default)",
            namespace: "(default)",
            pattern: try PathPattern("notes/{note}")
        )
        #expect(trigger.function == function)
    }
}
