// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Testing

/// One request after some others, and its exact answer.
///
/// In all texts `C/` stands for the full name of the collection `cities`, `NOW` for the time at
/// which the fixture was made, and `T1`, `T2` … for the times of the first commits.
struct GoldenAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [Step]
    let request: Step
    let status: Int
    private let body: String

    init(_ name: String, before: [Step] = [], _ request: Step, status: Int = 200, _ body: String) {
        testDescription = name
        self.before = before
        self.request = request
        self.status = status
        self.body = body
    }

    var expectedBody: String { Self.expand(body) }

    /// A request on the documents of the fixture's database.
    struct Step: Sendable {
        let method: String
        let path: String
        let body: String

        init(_ method: String, _ path: String, _ body: String = "") {
            self.method = method
            self.path = path
            self.body = body
        }
    }

    static func expand(_ text: String) -> String {
        var text = text
        for (short, long) in [
            (#""C/"#, "\"\(FirestoreFixture.documents)/cities/"),
            ("NOW", "2026-11-21T00:49:09.100Z"),
            ("T1", "2026-11-21T00:49:09.100001Z"),
            ("T2", "2026-11-21T00:49:09.100002Z"),
            ("T3", "2026-11-21T00:49:09.100003Z"),
        ] {
            text = text.split(separator: short, omittingEmptySubsequences: false).joined(separator: long)
        }
        return text
    }
}

extension FirestoreFixture {
    @discardableResult
    func send(_ step: GoldenAnswer.Step) async -> RESTResponse {
        await send(step.method, step.path, GoldenAnswer.expand(step.body))
    }
}
