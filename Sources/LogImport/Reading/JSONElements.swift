// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Splits JSON into the objects of a list as it is read, holding one of them at a time: those of a list in an object, such as
/// `log.entries` of a HAR file, of a list that is the whole file, or one after the other without a list.
struct JSONElements {
    private static let elementByteCountMax = 256 << 20

    private let path: String
    private let key: [UInt8]
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string outside the list, which may be the list's name.
    private var text: [UInt8] = []
    /// Whether the list's name and a colon came just before.
    private var isNamed = false
    /// The depth of the list's elements, once it has begun.
    private var listDepth: Int?
    private var isOver = false
    /// Whether a list came to its end.
    private var isEnded = false
    private var element: [UInt8] = []
    private var number = 0

    /// Looks for the list of this name at whatever depth it comes up first.
    init(_ path: String, listNamed key: String) {
        self.path = path
        self.key = Array(key.utf8)
    }

    /// Takes in the next bytes; hands on each element with its number, from 1.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Int, [UInt8]) throws -> Void) throws {
        for byte in bytes where !isOver {
            if isInElement {
                try take(byte, body)
            } else {
                try look(at: byte)
            }
        }
    }

    /// Throws when the file ended in the middle.
    func finish() throws {
        guard !isInElement else { throw wrong("the file ends within entry \(number + 1)") }
        guard isOver || depth == 0 else { throw wrong("the file ends behind entry \(number)") }
        guard number > 0 || isEnded else { throw wrong("there are no entries") }
    }

    private var isInElement: Bool { !element.isEmpty }

    private mutating func take(_ byte: UInt8, _ body: (Int, [UInt8]) throws -> Void) throws {
        element.append(byte)
        guard element.count <= Self.elementByteCountMax else {
            throw wrong("entry \(number + 1) is larger than \(Self.elementByteCountMax) bytes")
        }
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                isInString = false
            }
            return
        }
        switch byte {
        case 0x22: isInString = true
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D:
            depth -= 1
            guard depth == listDepth ?? 0 else { return }
            number += 1
            let whole = element
            element.removeAll(keepingCapacity: true)
            try body(number, whole)
        default: break
        }
    }

    private mutating func look(at byte: UInt8) throws {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                isInString = false
            }
            if isInString, text.count < 64 { text.append(byte) }
            return
        }
        switch byte {
        case 0x22:
            isInString = true
            text.removeAll(keepingCapacity: true)
            isNamed = false
        case 0x3A: isNamed = text == key
        case 0x5B:
            depth += 1
            if listDepth == nil, isNamed || depth == 1 { listDepth = depth }
            isNamed = false
        case 0x7B where depth == listDepth || (depth == 0 && key.isEmpty):
            element = [byte]
            depth += 1
        case 0x7B: depth += 1
        case 0x7D, 0x5D:
            if depth == listDepth {
                // Behind a list with a name, nothing is of use; others may be followed by the next.
                if key.isEmpty { listDepth = nil } else { isOver = true }
                isEnded = true
            }
            depth -= 1
            guard depth >= 0 else { throw wrong("a bracket is closed that was not opened") }
        case 0x20, 0x09, 0x0A, 0x0D: break
        default: isNamed = false
        }
    }

    private func wrong(_ problem: String) -> LogImportError { LogImportError(path: path, line: nil, problem: problem) }
}
