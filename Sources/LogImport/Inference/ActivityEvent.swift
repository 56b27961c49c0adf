// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A request of a user for something that a view may show.
struct ActivityEvent: Sendable {
    enum Subject: Sendable {
        case answer(LoggedAnswer)
        case download(LoggedDownload)
        /// An answer or a download of this time did not happen: another line reports it again.
        case takenBack(Retraction)
    }

    /// The event that did not happen.
    struct Retraction: Sendable, Hashable {
        /// The number of the object of a download; `nil` for an answer.
        let object: Int?
        /// The bytes of the body.
        let byteCount: Int64
    }

    /// Microseconds since 1970.
    let time: Int64
    /// The number of the caller; of events by user, of the user.
    var user: Int32
    /// The number of the connection, from 1; 0 where the log does not say.
    var connection: Int64 = 0
    let subject: Subject
}

extension ActivityEvent {
    private static let (download, answerTakenBack, downloadTakenBack): (UInt8, UInt8, UInt8) = (0x10, 0x11, 0x12)

    /// Appends the event in some fifteen bytes, and more for each document.
    func append(to bytes: inout NumberBytes) {
        bytes.append(time)
        bytes.append(Int64(user))
        bytes.append(connection)
        switch subject {
        case .download(let download):
            bytes.append(Int64(Self.download))
            bytes.append(Int64(download.object))
            bytes.append(Int64(download.outcome.rawValue))
            bytes.append(download.byteCount)
            bytes.append(download.generation)
            bytes.append(Int64(download.tag))
        case .takenBack(let retraction):
            bytes.append(Int64(retraction.object == nil ? Self.answerTakenBack : Self.downloadTakenBack))
            if let object = retraction.object { bytes.append(Int64(object)) }
            bytes.append(retraction.byteCount)
        case .answer(let answer):
            bytes.append(Int64(answer.kind.rawValue))
            for number in [
                Int64(answer.list ?? -1), Int64(answer.query), answer.isContinued ? 1 : 0,
                Int64(answer.missingCount), answer.byteCount, answer.documentReads, answer.ruleReads,
                Int64(answer.versions.count),
            ] { bytes.append(number) }
            for version in answer.versions {
                bytes.append(Int64(version.document))
                bytes.append(Int64(version.revision))
            }
        }
    }

    /// Reads what ``append(to:)`` wrote; `nil` at the end.
    init?(from numbers: inout NumberBytes.Reader) {
        guard let time = numbers.next() else { return nil }
        let user = Int32(numbers.next() ?? 0)
        let connection = numbers.next() ?? 0
        let kind = UInt8(numbers.next() ?? 0)
        let subject: Subject
        switch kind {
        case Self.download: subject = .download(LoggedDownload(from: &numbers))
        case Self.answerTakenBack, Self.downloadTakenBack:
            let object = kind == Self.downloadTakenBack ? numbers.next().map(Int.init) : nil
            subject = .takenBack(Retraction(object: object, byteCount: numbers.next() ?? 0))
        default: subject = .answer(LoggedAnswer(kind, from: &numbers))
        }
        self.init(time: time, user: user, connection: connection, subject: subject)
    }
}

extension LoggedDownload {
    fileprivate init(from numbers: inout NumberBytes.Reader) {
        let object = Int(numbers.next() ?? 0)
        guard let outcome = Outcome(rawValue: UInt8(numbers.next() ?? 0)) else {
            preconditionFailure("an event is read as it was written")
        }
        let (byteCount, generation) = (numbers.next() ?? 0, numbers.next() ?? 0)
        self.init(object, outcome, byteCount: byteCount, generation: generation, tag: Int32(numbers.next() ?? 0))
    }
}

extension LoggedAnswer {
    fileprivate convenience init(_ kind: UInt8, from numbers: inout NumberBytes.Reader) {
        guard let kind = Kind(rawValue: kind) else { preconditionFailure("an event is read as it was written") }
        let head = (0..<8).map { _ in numbers.next() ?? 0 }
        let versions = (0..<Int(head[7])).map { _ in
            Version(document: Int32(numbers.next() ?? 0), revision: Int32(numbers.next() ?? 0))
        }
        self.init(
            kind,
            list: head[0] < 0 ? nil : Int(head[0]),
            query: Int(head[1]),
            isContinued: head[2] == 1,
            versions: versions,
            missingCount: Int(head[3]),
            byteCount: head[4],
            documentReads: head[5],
            ruleReads: head[6]
        )
    }
}

/// Whole numbers in as few bytes as they need: seven bits in each, small negative numbers short, too (LEB128, zigzag).
struct NumberBytes: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: Int64) {
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    struct Reader {
        private let bytes: [UInt8]
        private var offset = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// `nil` at the end.
        mutating func next() -> Int64? {
            guard offset < bytes.count else { return nil }
            var (number, shift): (UInt64, UInt64) = (0, 0)
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                number |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        }
    }
}
