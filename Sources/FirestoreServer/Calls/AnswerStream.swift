// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The answers of a call, made one by one as the client takes them.
///
/// Each may read the store, and bills the call's context. For one thread at a time.
struct AnswerStream<Answer> {
    private let makeNext: () throws -> Answer?

    init(_ makeNext: @escaping () throws -> Answer?) {
        self.makeNext = makeNext
    }

    /// Answers that are ready.
    init(_ answers: [Answer]) {
        var rest = answers[...]
        self.init { rest.popFirst() }
    }

    /// The next answer; `nil` after the last.
    func next() throws -> Answer? {
        try makeNext()
    }
}
