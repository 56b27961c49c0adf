// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes lines of an access log apart, by steps that their format is made into once.
struct AccessLogLine {
    /// Takes a field up to where the next characters begin.
    private struct Step {
        let field: AccessLogFormat.Field
        /// How many bytes a value has at least: one has a space in it, behind which another field may begin.
        let byteCountMin: Int
        let end: End
        /// Whether a line may end behind the field.
        let mayBeLast: Bool
        /// Whether characters or fields follow that a line may lack.
        let isFollowed: Bool
    }

    private enum End {
        /// These bytes of all literals.
        case literal(Range<Int>, isRequired: Bool)
        /// The path of a host.
        case slash
        case line
    }

    private let steps: [Step]
    private let literals: [UInt8]
    /// The bytes of all literals that a line begins with.
    private let start: Range<Int>

    /// Makes steps of a format; of two fields that say the same, the first counts, but of times the last.
    init(_ format: AccessLogFormat) {
        var (steps, literals, seen): ([Step], [UInt8], Set<AccessLogFormat.Field>) = ([], [], [])
        func place(_ literal: [UInt8]) -> Range<Int> {
            literals += literal
            return literals.count - literal.count..<literals.count
        }
        let pieces = format.pieces
        let timeIndex = pieces.lastIndex { if case .field(.time) = $0 { true } else { false } }
        start = if case .literal(let text)? = pieces.first { place(text) } else { 0..<0 }
        for (index, piece) in pieces.enumerated() {
            guard case .field(let field) = piece else { continue }
            let end: End =
                switch index + 1 < pieces.count ? pieces[index + 1] : nil {
                case .literal(let text): .literal(place(text), isRequired: index + 1 < format.requiredCount)
                case .field: .slash
                case nil: .line
                }
            let isKept = if case .time = field { index == timeIndex } else { seen.insert(field).inserted }
            steps.append(
                Step(
                    field: isKept ? field : .ignored,
                    byteCountMin: field == .time(.local) ? "10/Oct/2000:13:55:36 -0700".utf8.count : 0,
                    end: end,
                    mayBeLast: index + 1 >= format.requiredCount,
                    isFollowed: index + 2 < pieces.count
                )
            )
        }
        (self.steps, self.literals) = (steps, literals)
    }

    /// Takes a line apart; `nil` where it is of another format.
    func fields(of line: UnsafeBufferPointer<UInt8>) -> AccessLogFields? {
        literals.withUnsafeBufferPointer { literals in
            guard Self.isThere(literals, text: start, in: line, at: 0) else { return nil }
            var (fields, position) = (AccessLogFields(), start.count)
            for step in steps {
                var (end, next) = (line.count, line.count)
                switch step.end {
                case .literal(let text, let isRequired):
                    let found = Self.position(of: text, in: literals, line: line, from: position + step.byteCountMin)
                    if let found {
                        (end, next) = (found, found + text.count)
                    } else if isRequired {
                        return nil
                    }
                case .slash:
                    guard let found = ByteSearch.first(UInt8(ascii: "/"), in: line, at: position..<line.count) else {
                        return nil
                    }
                    (end, next) = (found, found)
                case .line: break
                }
                fields.keep(step.field, at: position..<end)
                position = next
                if position == line.count, step.isFollowed { return step.mayBeLast ? fields : nil }
            }
            return fields
        }
    }

    /// Where a literal is found next; a quote with a backslash before it is a part of its field.
    private static func position(
        of text: Range<Int>,
        in literals: UnsafeBufferPointer<UInt8>,
        line: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int? {
        let first = literals[text.lowerBound]
        var position = start
        // Behind this, the literal is longer than the rest of the line.
        let end = line.count - text.count + 1
        while position < end {
            guard let found = ByteSearch.first(first, in: line, at: position..<end) else { return nil }
            if first == UInt8(ascii: "\"") {
                while position <= found,
                    let backslash = ByteSearch.first(UInt8(ascii: "\\"), in: line, at: position..<found)
                {
                    position = backslash + 2
                }
            }
            if position > found { continue }
            if isThere(literals, text: text, in: line, at: found) { return found }
            position = found + 1
        }
        return nil
    }

    private static func isThere(
        _ literals: UnsafeBufferPointer<UInt8>,
        text: Range<Int>,
        in line: UnsafeBufferPointer<UInt8>,
        at start: Int
    ) -> Bool {
        guard start + text.count <= line.count else { return false }
        for offset in 0..<text.count where line[start + offset] != literals[text.lowerBound + offset] { return false }
        return true
    }
}

/// Where the fields of a line are; `nil` where the line or its format does not have one.
struct AccessLogFields {
    private(set) var time: (place: Range<Int>, form: AccessLogTime) = (0..<0, .local)
    private(set) var address: Range<Int>?
    private(set) var request: Range<Int>?
    private(set) var method: Range<Int>?
    private(set) var target: Range<Int>?
    private(set) var host: Range<Int>?
    private(set) var status: Range<Int>?
    private(set) var byteCount: Range<Int>?
    private(set) var agent: Range<Int>?
    private(set) var requestID: Range<Int>?

    fileprivate mutating func keep(_ field: AccessLogFormat.Field, at place: Range<Int>) {
        switch field {
        case .time(let form): time = (place, form)
        case .address: address = place
        case .request: request = place
        case .method: method = place
        case .target: target = place
        case .host: host = place
        case .status: status = place
        case .byteCount: byteCount = place
        case .agent: agent = place
        case .requestID: requestID = place
        case .query, .ignored: return
        }
    }
}
