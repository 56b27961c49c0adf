// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FeedDataSet
import Foundation
import LocalFirebase
import ObjectStore

/// The circumstances that answers of a data set's servers depend on.
enum AnswerKey {
    /// The key of a configuration's answers; `nil` where they depend on more than its data set.
    static func key(of configuration: EmulatorConfiguration) -> String? {
        guard let path = configuration.seedPath, let dataSet = try? FeedDataSet.load(path),
            let sources = try? dataSet.sources(of: path), let program
        else { return nil }
        let circumstances =
            [String(configuration.now())] + configuration.seedVariants.map { "\($0.pixelWidth)x\($0.pixelHeight)" }
            + sources.images.map(state) + program
        let text = circumstances.joined(separator: "\n")
        return Hexadecimal.encode(SHA256Digest.bytes(of: sources.description + Data(text.utf8)))
    }

    /// The program and its libraries, by their paths, sizes and times: a new version may answer otherwise.
    ///
    /// `nil` where the system does not say.
    private static var program: [String]? {
        var maps = Data()
        // Such a file has no size, and is handed out in pieces.
        if let file = FileHandle(forReadingAtPath: "/proc/self/maps") {
            while let piece = try? file.read(upToCount: 1 << 16), !piece.isEmpty { maps += piece }
        }
        let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        guard !paths.isEmpty else { return nil }
        return Set(paths).sorted().map(state)
    }

    /// A file's path, size and time, of a link those of its target: another version has others.
    private static func state(of path: String) -> String {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(path) \(attributes?[.size] as? Int ?? 0) \(time)"
    }
}
