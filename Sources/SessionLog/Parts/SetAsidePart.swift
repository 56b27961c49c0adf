// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// A part of a session log that was set aside when it was full, see ``SessionLogRotation``.
struct SetAsidePart: Hashable {
    private static let compressedSuffix = ".gz"
    private static let digitCountMax = 9

    /// The log, to which the latest lines go.
    let logPath: String
    /// Counted from 1, the oldest.
    let number: Int

    /// Where it is before it is compressed.
    var plainPath: String { "\(logPath).\(number)" }
    /// Where it is in the end.
    var compressedPath: String { plainPath + Self.compressedSuffix }

    /// The parts of a log that were set aside, the oldest first.
    static func all(of logPath: String) throws(SessionLogError) -> [SetAsidePart] {
        let url = URL(fileURLWithPath: logPath)
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        } catch {
            throw .partsUnlisted(logPath, error: error)
        }
        let prefix = url.lastPathComponent + "."
        let numbers = names.filter { $0.hasPrefix(prefix) }.compactMap { number($0.dropFirst(prefix.count)) }
        // A part that is being compressed is there twice.
        return Set(numbers).sorted().map { SetAsidePart(logPath: logPath, number: $0) }
    }

    private static func number(_ suffix: Substring) -> Int? {
        let digits = suffix.hasSuffix(compressedSuffix) ? suffix.dropLast(compressedSuffix.count) : suffix
        guard digits.count <= digitCountMax, let number = Int(digits), number > 0, String(number) == digits else {
            return nil
        }
        return number
    }

    /// The part behind all that there are, under a name that nothing has.
    static func next(of logPath: String) throws(SessionLogError) -> SetAsidePart {
        let part = SetAsidePart(logPath: logPath, number: (try all(of: logPath).last?.number ?? 0) + 1)
        for path in [part.plainPath, part.compressedPath] where FileManager.default.fileExists(atPath: path) {
            throw .partInTheWay(path)
        }
        return part
    }

    /// Opens it, whether it is compressed by now or not.
    func open() throws(SessionLogError) -> GunzippedFile {
        if let file = try GunzippedFile.ifThere(plainPath) { return file }
        guard let file = try GunzippedFile.ifThere(compressedPath) else { throw .partGone(compressedPath) }
        return file
    }

    /// Its first line.
    func header() throws(SessionLogError) -> SessionHeader {
        let file = try open()
        return try SessionLogReader.header(LineReader(file), path: file.path)
    }

    /// Compresses it, if that is still to be done; it can be read all the while.
    func compress() throws(SessionLogError) {
        guard FileManager.default.fileExists(atPath: plainPath) else { return }
        // Another request may be working on it.
        let plain = try LogFile(plainPath, .reading)
        try plain.withLock(.exclusive) { () throws(SessionLogError) in
            guard try plain.isFile(at: plainPath) else { return }
            let unfinished = compressedPath + ".unfinished"
            do throws(SessionLogError) {
                try GunzippedFile.compress(plainPath, to: unfinished)
                try LogFiles.move(unfinished, to: compressedPath)
            } catch {
                try? LogFiles.remove(unfinished)
                throw error
            }
            // Both files may stay: readers take the plain one, and the next rotation tries again.
            try? LogFiles.remove(plainPath)
        }
    }

    /// Deletes it.
    func remove() {
        try? LogFiles.remove(plainPath)
        try? LogFiles.remove(compressedPath)
    }
}

extension SessionLogError {
    fileprivate static func partsUnlisted(_ logPath: String, error: any Error) -> Self {
        let message = "cannot look for the parts of \(logPath): \(error.localizedDescription)"
        return Self(code: .fileUnreadable, message: message, lineNumber: nil)
    }
}
