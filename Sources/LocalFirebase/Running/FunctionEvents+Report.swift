// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FunctionEvents
import JSON

extension FunctionEvents {
    /// The registered triggers on documents, and what became of the events for each function.
    ///
    /// Functions on users and objects are known by the type of their events, and URLs by themselves.
    var report: JSONText { .events(triggerCount: triggerCount, invocations) }
}

extension JSONText {
    /// The report where no events are sent.
    static let noEvents = events(triggerCount: 0, [:])

    fileprivate static func events(triggerCount: Int, _ invocations: [String: InvocationCounts]) -> Self {
        let functions = invocations.sorted { $0.key < $1.key }.map { name, counts in
            JSONText.object([
                ("name", .string(name)), ("succeeded", .integer(Int64(counts.succeeded))),
                ("failed", .integer(Int64(counts.failed))), ("repeated", .integer(Int64(counts.repeated))),
                ("dropped", .integer(Int64(counts.dropped))),
            ])
        }
        return .object([("triggers", .integer(Int64(triggerCount))), ("functions", .array(functions))])
    }
}
