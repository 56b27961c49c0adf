// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON

/// The elements of a list that is a member of a file's JSON object, read one at a time.
///
/// One element is in memory, and one piece of the file.
struct ListReader {
    /// The largest element, and the largest other member: a user with a picture in its address has room.
    static let valueByteCountMax = 4 << 20
    private static let pieceByteCount = 64 << 10

    /// The members that were found.
    enum Contents {
        case list
        /// The answer of an official emulator that refused to list anything.
        case failure
        case nothing
    }

    private let file: ExportFile
    private let onRead: (Int) -> Void
    private var piece: [UInt8] = []
    private var position = 0
    /// Where the piece begins in the file.
    private var pieceOffset = 0

    /// Opens a file; `onRead` takes the size of each piece.
    init(_ path: String, onRead: @escaping (Int) -> Void = { _ in }) throws {
        (file, self.onRead) = (try ExportFile.reading(path), onRead)
    }

    /// Hands out the elements of a list.
    ///
    /// - Parameters:
    ///   - name: The name of the list's member.
    ///   - take: Gets each element and its number, counted from 1.
    /// - Returns: Whether there was such a list.
    /// - Throws: What `take` throws, or ``ExportError`` for a file that is not such an object.
    mutating func forEach(
        in name: String,
        _ take: (_ element: JSONValue, _ number: Int) throws -> Void
    ) throws -> Contents {
        var contents = Contents.nothing
        guard try taking("{") else { throw fault("is not a JSON object") }
        if try !taking("}") {
            repeat {
                guard let key = try value().string else { throw unexpected("the name of a member") }
                guard try taking(":") else { throw unexpected("':'") }
                if key == name {
                    guard contents != .list else { throw fault("has \(name) twice") }
                    try elements(of: name, take)
                    contents = .list
                } else {
                    _ = try value()
                    if key == "error", contents == .nothing { contents = .failure }
                }
            } while try continues(until: "}")
        }
        guard try peek() == nil else { throw unexpected("the end") }
        return contents
    }

    private mutating func elements(of name: String, _ take: (JSONValue, Int) throws -> Void) throws {
        guard try taking("[") else { throw fault("has \(name) that are not a list") }
        if try taking("]") { return }
        var number = 0
        repeat {
            number += 1
            try take(try value(), number)
        } while try continues(until: "]")
    }

    private mutating func continues(until end: Unicode.Scalar) throws -> Bool {
        if try taking(",") { return true }
        guard try taking(end) else { throw unexpected("',' or '\(end)'") }
        return false
    }
}

extension ListReader {
    /// Reads a value, by its brackets and quotes, and has the parser see to the rest.
    private mutating func value() throws -> JSONValue {
        _ = try peek()
        let start = offset
        var scan = ValueScan()
        while let byte = try next(), scan.takes(byte) {
            position += 1
            guard scan.text.count <= Self.valueByteCountMax else {
                throw fault("has a value of more than \(Self.valueByteCountMax) bytes at byte \(start + 1)")
            }
        }
        do {
            return try JSONValue(parsing: scan.text)
        } catch {
            throw fault("is not JSON: byte \(start + error.column): \(error.message)")
        }
    }

    /// Steps over a character if it is the next behind white space.
    private mutating func taking(_ character: Unicode.Scalar) throws -> Bool {
        guard try peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The next byte behind white space; `nil` at the end.
    private mutating func peek() throws -> UInt8? {
        while let byte = try next() {
            guard byte.isJSONSpace else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func next() throws -> UInt8? {
        if position == piece.count { try readPiece() }
        return position < piece.count ? piece[position] : nil
    }

    private mutating func readPiece() throws {
        pieceOffset += piece.count
        position = 0
        piece = try [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, count in
            count = try file.read(at: Int64(pieceOffset), into: UnsafeMutableRawBufferPointer(buffer))
        }
        onRead(piece.count)
    }

    private var offset: Int { pieceOffset + position }

    private func unexpected(_ expected: String) -> ExportError {
        fault("is not JSON: byte \(offset + 1): expected \(expected)")
    }

    private func fault(_ reason: String) -> ExportError { .badFile(file.path, because: reason) }
}

/// The bytes of one value, found by brackets and quotes.
private struct ValueScan {
    private(set) var text: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isWhole = false

    /// Takes a byte; returns false for one behind the value.
    mutating func takes(_ byte: UInt8) -> Bool {
        guard !isWhole else { return false }
        if isInString {
            takeOfString(byte)
        } else {
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return false }
                depth -= 1
                isWhole = depth == 0
            case UInt8(ascii: ","), UInt8(ascii: ":"): guard depth > 0 else { return false }
            default: guard depth > 0 || !byte.isJSONSpace else { return false }
            }
        }
        text.append(byte)
        return true
    }

    private mutating func takeOfString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            isWhole = depth == 0
        }
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
