// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The images of one post's folder, by number: `0`, `1.jpg`, `2.png`.
struct NumberedFiles {
    private let folder: String
    private let names: [Int: String]

    /// Refuses names that are not numbers and numbers that occur twice.
    init(folder: String) throws(FeedDataSetError) {
        guard FeedFiles.kind(of: folder) == .directory else { throw .imageNotFound(folder + "/0", count: 1) }
        var names: [Int: String] = [:]
        for name in try FeedFiles.names(in: folder) {
            let path = FeedFiles.join(folder, name: name)
            let kind = FeedFiles.kind(of: path)
            guard let number = Self.number(of: name), kind != .directory, kind != nil else { throw .notNumbered(path) }
            guard kind == .regular else { throw .notRegular(path) }
            if let other = names.updateValue(name, forKey: number) { throw .numberedTwice(path, other: other) }
        }
        self.folder = folder
        self.names = names
    }

    var isEmpty: Bool { names.isEmpty }

    /// All names in order; their numbers must run from 0 without gaps.
    func allNames() throws(FeedDataSetError) -> [String] {
        guard names.count <= FeedLimits.imageCountMax else {
            throw .tooManyImages(folder, limit: FeedLimits.imageCountMax)
        }
        return try names(count: names.count)
    }

    /// The names of the numbers below `count`, all of which must be there.
    func names(count: Int) throws(FeedDataSetError) -> [String] {
        var ordered: [String] = []
        for number in 0..<count {
            guard let name = names[number] else { throw .imageNotFound("\(folder)/\(number)", count: count) }
            ordered.append(name)
        }
        return ordered
    }

    /// The digits before the first dot; `nil` for anything else.
    private static func number(of name: String) -> Int? {
        let stem = name.prefix { $0 != "." }
        return stem.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(stem) : nil
    }
}
