// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

/// The JSON array of a streaming call's answers, made piece by piece.
///
/// Production sends an array, too, and an error as its last element, see ``RESTResponse``.
final class JSONAnswerList<Answer> {
    private enum State {
        case empty
        case begun
        case ended
    }

    private let answers: AnswerStream<Answer>
    private let context: CallContext
    private let form: AnswerForm
    private let encode: (Answer) throws -> [UInt8]
    private var state = State.empty

    /// Creates the array of a call's answers that `encode` makes into JSON of that form.
    init(
        _ answers: AnswerStream<Answer>,
        of context: CallContext,
        in form: AnswerForm,
        encode: @escaping (Answer) throws -> [UInt8]
    ) {
        self.answers = answers
        self.context = context
        self.form = form
        self.encode = encode
    }

    /// The whole array if it is short, so that it has a length; otherwise its beginning.
    func beginning() throws -> RESTAnswer {
        let bytes = try piece(ofByteCount: RESTLimits.wholeAnswerByteCountMax)
        return RESTAnswer(body: bytes, rest: state == .ended ? nil : RESTAnswerRest { self.nextPiece() })
    }

    private func nextPiece() -> RESTAnswerRest.Piece? {
        guard state != .ended else { return nil }
        do {
            let bytes = try piece(ofByteCount: RESTLimits.answerPieceByteCountMin)
            return RESTAnswerRest.Piece(bytes: bytes, billed: context.takeBill())
        } catch {
            state = .ended
            let last = CallError(anything: error).json(withList: form.hasErrorList)
            let end = "\(form.separator)\(last.rendered(isIndented: form.isIndented))]\(form.closing)"
            return RESTAnswerRest.Piece(bytes: Array(end.utf8), billed: context.takeBill())
        }
    }

    /// The next elements, until they have that many bytes together.
    private func piece(ofByteCount byteCount: Int) throws -> [UInt8] {
        var bytes = state == .empty ? Array("\(form.opening)[".utf8) : []
        while bytes.count < byteCount {
            guard let answer = try answers.next() else {
                state = .ended
                bytes += "]\(form.closing)".utf8
                return bytes
            }
            if state == .begun { bytes += form.separator.utf8 }
            bytes += try encode(answer)
            state = .begun
        }
        return bytes
    }
}

/// How much of an answer over REST is held.
enum RESTLimits {
    /// Bytes of an answer that is made before it is sent, and so has a length; our own choice.
    static let wholeAnswerByteCountMax = 256 << 10
    /// Bytes of a longer answer that are sent at a time; a single document may be larger.
    static let answerPieceByteCountMin = 64 << 10
}
