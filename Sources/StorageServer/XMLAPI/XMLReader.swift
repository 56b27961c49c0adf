// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the small XML documents that clients send; strict, and without anything that could refer to elsewhere.
///
/// Document types, and with them entities of one's own, are refused, and so are processing instructions. Elements are
/// kept on a list, not on the stack, so that depth is a limit and no danger.
struct XMLReader {
    /// The largest document, in bytes: 10,000 parts or 1,000 names of an object, and room for line breaks.
    static let byteCountMax = 4 << 20
    /// The most elements inside each other.
    static let depthMax = 16
    /// The most elements of a document.
    static let elementCountMax = 50_000

    /// Why a text is not a document.
    enum Failure: Error, Equatable {
        case tooLarge
        case tooDeep
        case malformed(offset: Int)
        case unsupported(offset: Int)
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var open: [XMLElement] = []
    private var elementCount = 0
    private var root: XMLElement?

    /// Reads a document; returns its element.
    static func read(_ bytes: [UInt8]) throws(Failure) -> XMLElement {
        guard bytes.count <= byteCountMax else { throw .tooLarge }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformed(offset: 0) }
        var reader = XMLReader(bytes: bytes)
        return try reader.document()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func document() throws(Failure) -> XMLElement {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        if take("<?xml ") {
            try skip(through: "?>")
        }
        while offset < bytes.count {
            if take("<!--") {
                try skip(through: "-->")
            } else if take("</") {
                try close()
            } else if next("<!") || next("<?") {
                try openSpecial()
            } else if take("<") {
                try openElement()
            } else {
                try readText()
            }
        }
        guard let root, open.isEmpty else { throw .malformed(offset: offset) }
        return root
    }

    /// Takes a section of plain characters; everything else that begins with `<!` or `<?` is not supported.
    private mutating func openSpecial() throws(Failure) {
        guard take("<![CDATA["), !open.isEmpty else { throw .unsupported(offset: offset) }
        let start = offset
        try skip(through: "]]>")
        open[open.count - 1].text += String(decoding: bytes[start..<offset - 3], as: UTF8.self)
    }

    private mutating func readText() throws(Failure) {
        let start = offset
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        offset = end
        guard let text = XMLReferences.resolve(bytes[start..<end]) else { throw .malformed(offset: start) }
        if open.isEmpty {
            guard text.utf8.allSatisfy(Self.isSpace) else { throw .malformed(offset: start) }
        } else {
            open[open.count - 1].text += text
        }
    }

    private mutating func openElement() throws(Failure) {
        guard root == nil else { throw .malformed(offset: offset) }
        elementCount += 1
        guard elementCount <= Self.elementCountMax else { throw .tooLarge }
        guard open.count < Self.depthMax else { throw .tooDeep }
        let element = XMLElement(name: try name())
        while try attribute() {}
        if take("/>") {
            finish(element)
        } else if take(">") {
            open.append(element)
        } else {
            throw .malformed(offset: offset)
        }
    }

    private mutating func close() throws(Failure) {
        let name = try name()
        skipSpace()
        guard take(">"), let element = open.popLast(), element.name == name else { throw .malformed(offset: offset) }
        finish(element)
    }

    private mutating func finish(_ element: XMLElement) {
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].elements.append(element)
        }
    }
}

extension XMLReader {
    /// Passes over an attribute; returns `false` when there is none.
    private mutating func attribute() throws(Failure) -> Bool {
        let isParted = skipSpace()
        if next(">") || next("/>") { return false }
        guard isParted else { throw .malformed(offset: offset) }
        _ = try name()
        skipSpace()
        guard take("=") else { throw .malformed(offset: offset) }
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
            throw .malformed(offset: offset)
        }
        let quote = bytes[offset]
        guard let end = bytes[(offset + 1)...].firstIndex(of: quote), !bytes[offset..<end].contains(UInt8(ascii: "<")),
            XMLReferences.resolve(bytes[offset..<end]) != nil
        else { throw .malformed(offset: offset) }
        offset = end + 1
        return true
    }

    /// Takes a name and returns what is behind its prefix.
    private mutating func name() throws(Failure) -> String {
        let start = offset
        while offset < bytes.count, Self.isNameByte(bytes[offset]) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.last, let first = name.utf8.first, !Self.isInnerNameByte(first) else {
            throw .malformed(offset: start)
        }
        return String(name)
    }

    /// Whether the text continues like this.
    private func next(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard next(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(through end: StaticString) throws(Failure) {
        while offset < bytes.count {
            if take(end) { return }
            offset += 1
        }
        throw .malformed(offset: offset)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
        return offset > start
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        default: isInnerNameByte(byte)
        }
    }

    /// Whether a byte may stand in a name but not begin it.
    private static func isInnerNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}

/// An element that was read; attributes, comments and the prefixes of names are gone.
struct XMLElement: Equatable {
    let name: String
    /// The text between the tags, without that of the elements inside.
    var text = ""
    var elements: [XMLElement] = []

    /// The first element of a name.
    subscript(name: String) -> XMLElement? {
        elements.first { $0.name == name }
    }

    /// All the elements of a name.
    func all(_ name: String) -> [XMLElement] {
        elements.filter { $0.name == name }
    }
}

/// The references inside the text of an XML document.
enum XMLReferences {
    /// The digits and names that a reference may have between `&` and `;`.
    private static let byteCountMax = 10

    /// Replaces the five entities of XML and the references to characters; `nil` when there is any other.
    static func resolve(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<start]
            rest = rest[(start + 1)...]
            guard let end = rest.prefix(byteCountMax + 1).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[..<end], as: UTF8.self))
            else { return nil }
            text += Array(String(character).utf8)
            rest = rest[(end + 1)...]
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> Character? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: name.hasPrefix("#") ? number(name.dropFirst()).flatMap(Unicode.Scalar.init).map(Character.init) : nil
        }
    }

    private static func number(_ digits: Substring) -> UInt32? {
        let isHexadecimal = digits.hasPrefix("x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        // The type's own initialiser would take a sign.
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10)
    }
}
