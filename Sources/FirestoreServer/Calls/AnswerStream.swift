// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The answers of a call, made one by one as the client takes them.
///
/// Each may read the store, and reports the reads that are billed. For one thread at a time.
struct AnswerStream<Answer> {
    private let makeNext: (inout BilledUsage) throws -> Answer?

    init(_ makeNext: @escaping (inout BilledUsage) throws -> Answer?) {
        self.makeNext = makeNext
    }

    /// Answers that are ready.
    init(_ answers: [Answer]) {
        var rest = answers[...]
        self.init { _ in rest.popFirst() }
    }

    /// The next answer; `nil` after the last.
    ///
    /// Adds its bill.
    func next(billing billed: inout BilledUsage) throws -> Answer? {
        try makeNext(&billed)
    }
}
