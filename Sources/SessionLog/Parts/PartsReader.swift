// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Opens the files of a session log one after the other: those that were set aside, then the latest.
final class PartsReader {
    private static let attemptCountMax = 10

    private let logPath: String
    private var setAside: ArraySlice<SetAsidePart>
    // Held from the beginning: it may be set aside as well while the others are read.
    private var latest: GunzippedFile?

    init(_ logPath: String) throws(SessionLogError) {
        self.logPath = logPath
        for _ in 0..<Self.attemptCountMax {
            let parts = SetAsidePart.all(of: logPath)
            let latest = Self.open(logPath)
            // Otherwise what was just opened may be one of the parts, or what came before it is.
            guard SetAsidePart.all(of: logPath) == parts else { continue }
            setAside = parts[...]
            // After a crash in the middle of a rotation there is none.
            let isGone = !parts.isEmpty && !FileManager.default.fileExists(atPath: logPath)
            self.latest = isGone ? nil : try latest.get()
            return
        }
        throw .rotatedTooOften(logPath)
    }

    private static func open(_ path: String) -> Result<GunzippedFile, SessionLogError> {
        do throws(SessionLogError) { return .success(try GunzippedFile(path)) } catch { return .failure(error) }
    }

    /// The next file and its path; `nil` behind the last.
    func next() throws(SessionLogError) -> (file: GunzippedFile, path: String)? {
        if let part = setAside.popFirst() { return (try part.open(), part.compressedPath) }
        guard let file = latest else { return nil }
        latest = nil
        return (file, logPath)
    }
}
