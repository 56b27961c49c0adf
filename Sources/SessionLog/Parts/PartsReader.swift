// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Opens the files of a session log one after the other: those that were set aside, then the latest.
final class PartsReader {
    private static let attemptCountMax = 10

    private var setAside: ArraySlice<SetAsidePart>
    // Held from the beginning: it may be set aside as well while the others are read. After a crash in the middle of a
    // rotation there is none.
    private var latest: GunzippedFile?

    init(_ path: String) throws(SessionLogError) {
        let logPath = LogFiles.resolved(path)
        for _ in 0..<Self.attemptCountMax {
            let parts = try Self.parts(logPath)
            let latest = parts.isEmpty ? try GunzippedFile(logPath) : try GunzippedFile.ifThere(logPath)
            // Otherwise what was just opened may be one of the parts, or what came before it is.
            guard try Self.parts(logPath) == parts else { continue }
            setAside = parts[...]
            self.latest = latest
            return
        }
        throw .rotatedTooOften(logPath)
    }

    // Without a file there may be no directory either, which shows in opening the file.
    private static func parts(_ logPath: String) throws(SessionLogError) -> [SetAsidePart] {
        do throws(SessionLogError) {
            return try SetAsidePart.all(of: logPath)
        } catch {
            _ = try GunzippedFile(logPath)
            throw error
        }
    }

    /// Whether the next file is the last, to which lines may still be appended.
    var isAtLatest: Bool { setAside.isEmpty }

    /// The next file; `nil` behind the last.
    func next() throws(SessionLogError) -> GunzippedFile? {
        if let part = setAside.popFirst() { return try part.open() }
        defer { latest = nil }
        return latest
    }
}
