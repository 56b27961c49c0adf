// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes lines of an access log apart.
struct AccessLogLine {
    private let pieces: [AccessLogFormat.Piece]
    private let requiredCount: Int
    private var values: [AccessLogFormat.Field: String] = [:]
    /// The time as it is written.
    private(set) var time: (text: String, form: AccessLogTime) = ("", .local)

    init(_ format: AccessLogFormat) {
        pieces = format.pieces
        requiredCount = format.requiredCount
    }

    /// What a field of the last line says; `nil` where the line or the format does not have it.
    func text(_ field: AccessLogFormat.Field) -> String? { values[field] }

    /// Takes a line apart; false where it is of another format.
    mutating func match(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        values.removeAll(keepingCapacity: true)
        var position = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                // The characters after a field were found with it.
                guard index == 0 else { continue }
                guard Self.isThere(text, in: line, at: 0) else { return false }
                position = text.count
            case .field(let field):
                var end = line.count
                var next = end
                if index + 1 < pieces.count, case .literal(let text) = pieces[index + 1] {
                    if let found = Self.position(of: text, in: line, from: position + field.byteCountMin) {
                        (end, next) = (found, found + text.count)
                    } else if index + 1 < requiredCount {
                        return false
                    }
                } else if index + 1 < pieces.count {
                    // The path of a host.
                    guard let found = Self.position(of: [UInt8(ascii: "/")], in: line, from: position) else {
                        return false
                    }
                    (end, next) = (found, found)
                }
                keep(field, line[position..<end])
                position = next
                if position == line.count, index + 2 < pieces.count { return index + 1 >= requiredCount }
            }
        }
        return true
    }

    private mutating func keep(_ field: AccessLogFormat.Field, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        switch field {
        case .ignored: return
        case .time(let form): time = (String(decoding: bytes, as: UTF8.self), form)
        // Of two that tell the same, the first counts.
        default: if values[field] == nil { values[field] = String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Where characters are found next; a quote with a backslash before it is a part of its field.
    private static func position(
        of text: [UInt8],
        in line: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int? {
        let isQuote = text[0] == UInt8(ascii: "\"")
        var position = start
        while position + text.count <= line.count {
            if isQuote, line[position] == UInt8(ascii: "\\") {
                position += 2
            } else if isThere(text, in: line, at: position) {
                return position
            } else {
                position += 1
            }
        }
        return nil
    }

    private static func isThere(_ text: [UInt8], in line: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start + text.count <= line.count else { return false }
        for offset in text.indices where line[start + offset] != text[offset] { return false }
        return true
    }
}

extension AccessLogFormat.Field {
    /// How many bytes a value has at least: one has a space in it, behind which another field may begin.
    fileprivate var byteCountMin: Int { self == .time(.local) ? "10/Oct/2000:13:55:36 -0700".utf8.count : 0 }
}
