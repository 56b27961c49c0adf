// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A small document of six fields and five types, the same for the same index.
struct SamplePost {
    static let postsPerAuthor = 20
    static let categoryCount = 100
    static let scoreBound = 1_000.0
    private static let idCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let words = [
        "harbour", "morning", "bridge", "market", "night", "garden", "window", "river",
        "station", "summer", "rain", "street", "mountain", "coffee", "library", "island",
    ]

    let index: Int
    /// The size of its collection, which decides how many authors there are.
    let collectionCount: Int
    /// A later version differs from earlier ones in its title.
    var version = 0

    /// Twenty characters that look random, as the ids that SDKs make.
    var id: String {
        var characters: [UInt8] = []
        for half in 0..<2 {
            var rest = mixed(half)
            for _ in 0..<10 {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(Self.idCharacters.count))
                characters.append(Self.idCharacters[Int(remainder)])
                rest = quotient
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    var author: String { Self.author(index % Self.authorCount(collectionCount)) }
    var category: Int { Int(mixed(2) % UInt64(Self.categoryCount)) }
    var score: Double { Double(mixed(3) % 1_000_000) / 1_000 }

    static func authorCount(_ collectionCount: Int) -> Int { max(1, collectionCount / postsPerAuthor) }

    static func author(_ number: Int) -> String {
        let digits = String(number)
        return "author-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    func writeFields(to document: inout ProtobufWriter) {
        field("author", of: &document) { $0.string(17, author) }
        field("category", of: &document) { $0.integer(2, category) }
        field("createdAt", of: &document) { value in
            value.message(10) { timestamp in
                timestamp.integer(1, 1_700_000_000 + index)
                timestamp.integer(2, index % 1_000_000 * 1_000)
            }
        }
        field("published", of: &document) { $0.integer(1, index % 10 == 0 ? 0 : 1) }
        field("score", of: &document) { $0.double(3, score) }
        field("title", of: &document) { $0.string(17, title) }
    }

    private var title: String {
        let bits = mixed(4)
        let words = (0..<5).map { Self.words[Int(bits >> UInt64($0 * 4) & 15)] }
        return words.joined(separator: " ") + " \(version)"
    }

    private func field(_ name: String, of document: inout ProtobufWriter, _ write: (inout ProtobufWriter) -> Void) {
        document.message(2) { entry in
            entry.string(1, name)
            entry.message(2, write)
        }
    }

    /// SplitMix64 of the index and a salt.
    private func mixed(_ salt: Int) -> UInt64 {
        var value = UInt64(index) &* 8 &+ UInt64(salt) &+ 1
        value = value &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
