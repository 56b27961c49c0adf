// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A part of a session log that was set aside when it was full, see ``SessionLogRotation``.
struct SetAsidePart: Hashable {
    private static let compressedSuffix = ".gz"

    /// The log, to which the latest lines go.
    let logPath: String
    /// Counted from 1, the oldest.
    let number: Int

    /// Where it is before it is compressed.
    var plainPath: String { "\(logPath).\(number)" }
    /// Where it is in the end.
    var compressedPath: String { plainPath + Self.compressedSuffix }

    /// The parts of a log that were set aside, the oldest first.
    static func all(of logPath: String) -> [SetAsidePart] {
        let url = URL(fileURLWithPath: logPath)
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        let prefix = url.lastPathComponent + "."
        let numbers = (names ?? []).filter { $0.hasPrefix(prefix) }.compactMap { number($0.dropFirst(prefix.count)) }
        // A part that is being compressed is there twice.
        return Set(numbers).sorted().map { SetAsidePart(logPath: logPath, number: $0) }
    }

    private static func number(_ suffix: Substring) -> Int? {
        let digits = suffix.hasSuffix(compressedSuffix) ? suffix.dropLast(compressedSuffix.count) : suffix
        guard let number = Int(digits), number > 0, String(number) == digits else { return nil }
        return number
    }

    /// Opens it, whether it is compressed by now or not.
    func open() throws(SessionLogError) -> GunzippedFile {
        if let file = try? GunzippedFile(plainPath) { return file }
        return try GunzippedFile(compressedPath)
    }

    /// Its first line.
    func header() throws(SessionLogError) -> SessionHeader {
        do throws(SessionLogError) {
            return try SessionLogReader.header(ofFile: plainPath)
        } catch {
            return try SessionLogReader.header(ofFile: compressedPath)
        }
    }

    /// Compresses it, if that is still to be done; it can be read all the while.
    func compress() throws(SessionLogError) {
        guard FileManager.default.fileExists(atPath: plainPath) else { return }
        if !FileManager.default.fileExists(atPath: compressedPath) {
            let unfinished = compressedPath + ".unfinished"
            do {
                try GunzippedFile.compress(plainPath, to: unfinished)
                try PosixFile.rename(unfinished, to: compressedPath)
            } catch {
                PosixFile.remove(unfinished)
                throw error
            }
        }
        PosixFile.remove(plainPath)
    }

    /// Deletes it.
    func remove() {
        PosixFile.remove(plainPath)
        PosixFile.remove(compressedPath)
    }
}
