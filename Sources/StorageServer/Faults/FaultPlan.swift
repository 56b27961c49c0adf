// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The faults that one test wants to meet, method by method.
struct FaultPlan: Sendable {
    /// The protocol whose calls fail.
    enum Transport: String, Sendable {
        case http = "HTTP"
        case grpc = "GRPC"
    }

    private struct Queue {
        var faults: ArraySlice<Fault>
        /// How many faults of the queue have happened.
        var takenCount = 0
    }

    let id: String
    let transport: Transport
    private var queues: [String: Queue]
    /// Whether every fault has happened, of at least one.
    private(set) var isCompleted = false

    init(id: String, transport: Transport, faults: [String: [Fault]]) {
        self.id = id
        self.transport = transport
        queues = faults.mapValues { Queue(faults: $0[...]) }
    }

    /// The next fault of a method and its place in the method's queue.
    func next(for method: String) -> (fault: Fault, place: Int)? {
        guard let queue = queues[method], let fault = queue.faults.first else { return nil }
        return (fault, queue.takenCount)
    }

    /// Takes the fault at a place off its queue; returns whether it was still there.
    mutating func take(_ method: String, place: Int) -> Bool {
        guard let queue = queues[method], queue.takenCount == place, !queue.faults.isEmpty else { return false }
        queues[method]?.faults.removeFirst()
        queues[method]?.takenCount += 1
        isCompleted = queues.values.allSatisfy(\.faults.isEmpty)
        return true
    }

    /// The plan as the fault API describes it; the faults are those that have not happened.
    var resource: JSONText {
        let instructions = queues.sorted { $0.key < $1.key }.map { method, queue in
            (method, JSONText.array(queue.faults.map { .string($0.text) }))
        }
        return .object([
            ("id", .string(id)),
            ("instructions", .object(instructions)),
            ("completed", .boolean(isCompleted)),
            ("transport", .string(transport.rawValue)),
        ])
    }
}
