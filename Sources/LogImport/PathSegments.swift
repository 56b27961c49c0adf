// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The parts of a path between its slashes, gone over once.
struct PathSegments {
    /// Where a path of Cloud Storage names its bucket and its object.
    struct Place {
        let bucket: Range<Int>
        let object: Range<Int>
    }

    /// The path behind its first slash.
    let all: Range<Int>
    private(set) var first = 0..<0
    /// The path behind its second slash; `nil` where there is none.
    private(set) var allButFirst: Range<Int>?
    /// Whether the path is one of Firestore's.
    private(set) var areFirestore = false
    /// Whether the first segment is `download`.
    private(set) var areDownload = false
    /// Set by the first segment that is `b`, where `/B/o` follows.
    private(set) var place: Place?

    init(of path: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
        guard let slash = ByteSearch.first(UInt8(ascii: "/"), in: text, at: path) else {
            all = path.upperBound..<path.upperBound
            (first, allButFirst) = (all, nil)
            return
        }
        all = slash + 1..<path.upperBound
        var (start, number, hasBucket) = (all.lowerBound, 0, false)
        while true {
            let next = ByteSearch.first(UInt8(ascii: "/"), in: text, at: start..<all.upperBound)
            let segment = start..<(next ?? all.upperBound)
            if number == 0 { first = segment }
            if number == 0, let next { allButFirst = next + 1..<all.upperBound }
            if number == 0 { areDownload = ByteSearch.isEqual(text, at: segment, to: "download") }
            if next != nil, Self.isFirestore(segment, in: text) { areFirestore = true }
            if !hasBucket, ByteSearch.isEqual(text, at: segment, to: "b") {
                hasBucket = true
                // `/download/storage/v1/b/` is the deepest.
                if number <= 3, let next { place = Self.place(next + 1..<all.upperBound, in: text) }
            }
            guard let next else { return }
            (start, number) = (next + 1, number + 1)
        }
    }

    private static func isFirestore(_ segment: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteSearch.isEqual(text, at: segment, to: "databases")
            || ByteSearch.isEqual(text, at: segment, to: "google.firestore.v1.Firestore")
    }

    /// Reads `B/o/O`, of which the object may be missing.
    private static func place(_ path: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Place? {
        guard let slash = ByteSearch.first(UInt8(ascii: "/"), in: text, at: path) else { return nil }
        let rest = slash + 1..<path.upperBound
        let end = ByteSearch.first(UInt8(ascii: "/"), in: text, at: rest)
        guard ByteSearch.isEqual(text, at: rest.lowerBound..<(end ?? rest.upperBound), to: "o") else { return nil }
        return Place(
            bucket: path.lowerBound..<slash,
            object: end.map { $0 + 1..<rest.upperBound } ?? rest.upperBound..<rest.upperBound
        )
    }
}

extension String {
    /// The text with each `%41` made the byte that it stands for; what stands for nothing stays.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        let source = Array(utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = Self.nibble(source[index + 1]), let low = Self.nibble(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func nibble(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
