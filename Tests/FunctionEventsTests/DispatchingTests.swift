// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import JSON
import Testing

@testable import FunctionEvents

@Suite(.timeLimit(.minutes(10))) struct `Sending events` {
    private func write(_ document: Int, _ number: Int) throws -> ChangedDocument {
        try Samples.write("notes/\(document)", nil, ["n": .integer(Int64(number))])
    }

    @Test func `the events of a document are sent in their order`() async throws {
        let harness = try Harness()
        try harness.registerFirst()
        for number in 0..<50 {
            for document in 0..<20 { harness.events.documentChanged(try write(document, number)) }
        }
        await harness.events.idle()
        var last: [String: Int] = [:]
        for event in harness.recorder.posted {
            let value = try event.json()["data"]?["value"]
            let name = try #require(value?["name"]?.string)
            let number = try #require(value?["fields"]?["n"]?["integerValue"]?.string.flatMap { Int($0) })
            #expect(number == last[name, default: -1] + 1)
            last[name] = number
        }
        #expect(last.count == 20)
        #expect(harness.recorder.posted.count == 1_000)
    }

    @Test func `several documents' events are out at once, but not more than the limit`() async throws {
        var limits = EventLimits()
        limits.functionsParallelMax = 3
        let harness = try Harness(limits: limits)
        try harness.registerFirst()
        harness.recorder.hold()
        for document in 0..<10 { harness.events.documentChanged(try write(document, 0)) }
        while harness.recorder.posted.count < 3 { await Task.yield() }
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.recorder.outCountMax == 3)
        #expect(harness.recorder.posted.count == 10)
    }

    @Test func `a slow function does not hold up others`() async throws {
        let harness = try Harness()
        try harness.registerFirst()
        try harness.registerSecond()
        harness.recorder.hold()
        harness.events.documentChanged(try write(1, 0))
        while harness.recorder.posted.count < 2 { await Task.yield() }
        harness.recorder.release()
        await harness.events.idle()
        #expect(Set(harness.recorder.posted.map(\.url)).count == 2)
    }

    @Test func `too many events that wait are dropped, counted and reported once`() async throws {
        var limits = EventLimits()
        (limits.waitingCountMax, limits.functionsParallelMax) = (2, 1)
        let harness = try Harness(limits: limits)
        try harness.registerFirst()
        harness.recorder.hold()
        harness.events.documentChanged(try write(0, 0))
        while harness.recorder.posted.isEmpty { await Task.yield() }
        for document in 1...5 { harness.events.documentChanged(try write(document, 0)) }
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 3)
        #expect(harness.events.invocations["us-central1-first"]?.dropped == 3)
        #expect(harness.events.invocations["us-central1-first"]?.succeeded == 3)
        #expect(harness.warnings.count == 1)
    }

    @Test func `the memory of what waits is bounded, but a large event is sent`() async throws {
        var limits = EventLimits()
        (limits.waitingByteCountMax, limits.functionsParallelMax) = (1_000, 1)
        let harness = try Harness(limits: limits)
        try harness.registerFirst()
        let large = try Samples.write("notes/1", nil, ["t": .string(String(repeating: "a", count: 5_000))])
        harness.recorder.hold()
        harness.events.documentChanged(large)
        while harness.recorder.posted.isEmpty { await Task.yield() }
        for _ in 1...3 { harness.events.documentChanged(large) }
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 2)
        #expect(harness.events.invocations["us-central1-first"]?.dropped == 2)
    }

    @Test func `the Functions emulator gets an event once`() async throws {
        let harness = try Harness()
        try harness.registerFirst()
        harness.recorder.answer([.success(500), .failure(.unreachable), .failure(.timedOut)])
        for document in 1...3 { harness.events.documentChanged(try write(document, 0)) }
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 3)
        #expect(harness.events.invocations["us-central1-first"]?.failed == 3)
        #expect(harness.warnings.count == 3)
    }

    @Test func `a trigger whose function is unknown is forgotten, but not while functions are loaded`() async throws {
        let harness = try Harness()
        try harness.registerFirst()
        for (seconds, count) in [(1, 1), (8, 1), (1, 0)] as [(Int64, Int)] {
            harness.advance(seconds: seconds)
            harness.recorder.answer([.success(404)])
            harness.events.documentChanged(try write(1, 0))
            await harness.events.idle()
            #expect(harness.events.triggerCount == count)
        }
        harness.events.documentChanged(try write(1, 0))
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 3)
        #expect(harness.warnings.isEmpty)
        #expect(!harness.events.watchesDocuments)
    }

    @Test func `a trigger that was registered again stays though its former function is unknown`() async throws {
        let harness = try Harness()
        try harness.registerFirst()
        harness.advance(seconds: 60)
        harness.recorder.hold()
        harness.recorder.answer([.success(404)])
        harness.events.documentChanged(try write(1, 0))
        while harness.recorder.posted.isEmpty { await Task.yield() }
        try harness.registerFirst()
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.events.triggerCount == 1)
    }

    @Test func `disabled, nothing is sent; enabled again, further changes are`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/"])
        try harness.registerFirst()
        harness.events.disable()
        #expect(!harness.events.isEnabled)
        harness.events.documentChanged(try write(1, 0))
        harness.events.userCreated(EventUser(uid: "u"), project: "demo")
        await harness.events.idle()
        #expect(harness.recorder.posted.isEmpty)
        harness.events.enable()
        harness.events.documentChanged(try write(1, 1))
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 2)
    }

    @Test func `closed, it forgets what waits`() async throws {
        var limits = EventLimits()
        limits.functionsParallelMax = 1
        let harness = try Harness(limits: limits)
        try harness.registerFirst()
        harness.recorder.hold()
        for document in 0..<10 { harness.events.documentChanged(try write(document, 0)) }
        while harness.recorder.posted.isEmpty { await Task.yield() }
        harness.events.close()
        harness.events.documentChanged(try write(1, 1))
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 1)
    }

    @Test func `at the end, what waits is sent`() async throws {
        let recorder = Recorder()
        let destinations = EventDestinations(functions: FunctionsAddress("127.0.0.1:5001"))
        let events = FunctionEvents(destinations, poster: recorder, clock: EventClock(microseconds: { 0 })) { _ in }
        for number in 0..<100 { events.userCreated(EventUser(uid: "\(number)"), project: "demo") }
        await events.finish(within: .seconds(600))
        #expect(recorder.posted.count == 100)
        events.userCreated(EventUser(uid: "late"), project: "demo")
        await events.idle()
        #expect(recorder.posted.count == 100)
    }

    @Test func `the end does not wait for a service that never answers`() async throws {
        let harness = try Harness()
        harness.recorder.hold()
        harness.events.userCreated(EventUser(uid: "u"), project: "demo")
        while harness.recorder.posted.isEmpty { await Task.yield() }
        await harness.events.finish(within: .seconds(4))
        #expect(harness.pauses.contains(.seconds(4)))
        harness.recorder.release()
    }

    @Test(arguments: [
        ("127.0.0.1:5001", true), ("localhost:5001", true), ("[::1]:5001", true), ("127.0.0.1", false), ("", false),
        (":5001", false), ("http://127.0.0.1:5001", false), ("a b:1", false), ("a:0", false), ("a:99999", false),
    ])
    func `an address has a host and a port`(text: String, isAddress: Bool) {
        #expect((FunctionsAddress(text) != nil) == isAddress)
    }
}
