// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct StreamChangesTests {
    /// A document's change in a target: whether it was in, whether it is in, and its number then (`nil` when it is gone).
    private struct Step: Sendable {
        var target: Int32 = 1
        let wasIn: Bool
        let isIn: Bool
        let number: Int64?
        var hasChanged = true
    }

    private static let cases: [([Step], [String], [Int32: Int])] = [
        ([Step(wasIn: false, isIn: true, number: 1)], ["c/a=1 [1]"], [1: 1]),
        ([Step(wasIn: true, isIn: true, number: 2)], ["c/a=2 [1]"], [1: 1]),
        ([Step(wasIn: true, isIn: false, number: 3)], ["c/a=3 [] -[1]"], [1: 1]),
        ([Step(wasIn: true, isIn: false, number: nil)], ["c/a deleted -[1]"], [:]),
        ([Step(wasIn: true, isIn: false, number: 3, hasChanged: false)], ["c/a removed -[1]"], [:]),
        ([Step(wasIn: false, isIn: true, number: 1), Step(wasIn: true, isIn: false, number: nil)], [], [:]),
        ([Step(wasIn: false, isIn: true, number: 1), Step(wasIn: true, isIn: false, number: 2)], [], [:]),
        (
            [Step(wasIn: true, isIn: false, number: nil), Step(wasIn: false, isIn: true, number: 2)],
            ["c/a=2 [1]"], [1: 1]
        ),
        (
            [
                Step(wasIn: true, isIn: false, number: 1, hasChanged: false),
                Step(wasIn: false, isIn: true, number: 1, hasChanged: false),
            ], [], [:]
        ),
        (
            [
                Step(wasIn: true, isIn: false, number: 1, hasChanged: false),
                Step(wasIn: false, isIn: true, number: 2),
            ], ["c/a=2 [1]"], [1: 1]
        ),
        (
            [
                Step(target: 1, wasIn: true, isIn: true, number: 2),
                Step(target: 2, wasIn: true, isIn: false, number: 2),
                Step(target: 3, wasIn: false, isIn: true, number: 2),
            ], ["c/a=2 [1, 3] -[2]"], [1: 1, 2: 1, 3: 1]
        ),
        (
            [
                Step(target: 1, wasIn: true, isIn: false, number: nil),
                Step(target: 2, wasIn: true, isIn: false, number: nil),
            ], ["c/a deleted -[1, 2]"], [:]
        ),
        (
            [
                Step(target: 2, wasIn: true, isIn: false, number: 1, hasChanged: false),
                Step(target: 3, wasIn: false, isIn: true, number: 1, hasChanged: false),
            ], ["c/a=1 [3] -[2]"], [3: 1]
        ),
    ]

    @Test func `makes one message of all that happened to a document`() throws {
        for (steps, texts, billedReads) in Self.cases {
            var changes = StreamChanges()
            for (index, step) in steps.enumerated() {
                let document = try step.number.map {
                    Document(path: try path("c/a"), fields: ["n": .integer($0)], createTime: noon, updateTime: noon)
                }
                let change = ResultChange(
                    path: try path("c/a"),
                    document: document,
                    wasIn: step.wasIn,
                    isIn: step.isIn,
                    hasChanged: step.hasChanged
                )
                let time = Timestamp(seconds: Int64(index))
                changes.add(ResultDelta(time: time, changes: [change]), to: step.target, mask: nil)
            }
            var batch = ListenBatch()
            changes.append(to: &batch, readTime: noon)
            #expect(batch.texts == texts)
            #expect(batch.billedReads == billedReads)
        }
    }

    /// Token or time, what the client expects; whether a filter is sent, and with names.
    @Test(
        "sends existence filters as production does",
        arguments: [
            (true, nil, true, false), (true, 0, true, false), (true, 3, true, true), (false, nil, false, false),
            (false, 3, true, true),
        ] as [(Bool, Int?, Bool, Bool)]
    )
    func sendsFilters(isByToken: Bool, expectedCount: Int?, hasFilter: Bool, wantsNames: Bool) {
        let answer = ResumeAnswer(isByToken: isByToken, expectedCount: expectedCount, since: noon)
        #expect(answer.hasFilter == hasFilter)
        #expect(answer.wantsNames == wantsNames)
    }
}
