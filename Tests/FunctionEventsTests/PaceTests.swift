// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import FunctionEvents

@Suite(.timeLimit(.minutes(10))) struct `The events of a function that are out at once` {
    @Test func `a quick function gets one event at once, so that one process serves it`() async throws {
        let harness = try Harness(isEnded: { true })
        try harness.registerFirst()
        try harness.registerSecond()
        harness.recorder.hold()
        for document in 0..<10 { harness.events.documentChanged(try Samples.write("notes/\(document)", nil, [:])) }
        while harness.recorder.posted.count < 2 { await Task.yield() }
        harness.recorder.release()
        await harness.events.idle()
        #expect(harness.recorder.outCountMax == 2)
        #expect(harness.recorder.posted.count == 20)
    }

    @Test func `a function that is allowed more events at once gets them, and others are not held up`() throws {
        var queue = EventQueue(firstOutMax: 1)
        for (function, subject) in [("slow", "1"), ("slow", "2"), ("slow", "3"), ("other", "1"), ("slow", "1")] {
            let lane = Delivery.Lane(function: function, subject: subject)
            queue.append(Delivery(lane: lane, function: function, url: "", byteCount: 1) { EventContent(json: "null") })
        }
        #expect(queue.takeAll() == ["slow 1", "other 1"])
        for _ in 0..<3 { queue.allowMore(of: "slow", upTo: 2) }
        #expect(queue.takeAll() == ["slow 2"])
        queue.finish(Delivery.Lane(function: "other", subject: "1"))
        #expect(queue.takeAll().isEmpty)
        queue.finish(Delivery.Lane(function: "slow", subject: "1"))
        #expect(queue.takeAll() == ["slow 3"])
        queue.finish(Delivery.Lane(function: "slow", subject: "2"))
        #expect(queue.takeAll() == ["slow 1"])
        #expect((queue.count, queue.byteCount) == (0, 0))
    }
}

extension EventQueue {
    /// Takes all events that can be out.
    fileprivate mutating func takeAll() -> [String] {
        var names: [String] = []
        while let delivery = next() { names.append("\(delivery.lane.function) \(delivery.lane.subject)") }
        return names
    }
}
