// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import SuiteFiles

/// A directory for data that are not kept: removed at the end or, after a kill, by the next process.
///
/// The process holds a lock on the directory itself, which the kernel releases however the process ends. A directory
/// with such a name and without a lock is therefore left over.
struct EphemeralDirectory: Sendable {
    /// Directories with other names are never touched, nor those of versions that held no lock (`firemeter-UUID`).
    private static let namePrefix = "firemeter-ephemeral-"
    /// Directories with such a name stay until their user removes them.
    private static let keptPrefix = "firemeter-kept-"
    /// How often a process may lose its directory, before it is locked, to another that sweeps.
    private static let attemptCountMax = 100
    /// How many directories one process sweeps: the rest is for the next.
    private static let sweepCountMax = 1_000

    let path: String
    private let lock: LockedDirectory

    /// Creates a directory that only this user may enter.
    init(in parent: String) throws {
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        (path, lock) = try Self.make(in: parent)
    }

    private static func make(in parent: String) throws -> (path: String, lock: LockedDirectory) {
        for _ in 0..<attemptCountMax {
            let path = "\(parent)/\(namePrefix)\(UUID().uuidString)"
            try FileTree.createDirectory(path)
            // Until it is locked the directory looks left over: another process may be removing it.
            guard let lock = try? LockedDirectory(path), lock.isInPlace else {
                rmdir(path)
                continue
            }
            return (path, lock)
        }
        throw ExportError.noTemporaryDirectory(in: parent)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Takes the name by which the directory would be swept; returns its new path.
    func keep() -> String {
        let url = URL(fileURLWithPath: path)
        let name = Self.keptPrefix + url.lastPathComponent.dropFirst(Self.namePrefix.count)
        let kept = url.deletingLastPathComponent().appendingPathComponent(name).path
        do {
            try FileTree.move(path, to: kept)
            return kept
        } catch {
            // Here it is until the next start.
            return path
        }
    }

    /// Removes what processes that were killed have left; a directory that cannot be removed is left to the next.
    static func sweep(_ parent: String) {
        guard let names = try? DirectoryNames<ExportError>(parent) else { return }
        for name in Array(names.lazy.filter(isName).prefix(sweepCountMax)) {
            let path = "\(parent)/\(name)"
            guard let lock = LockedDirectory(unlocked: path), lock.isInPlace else { continue }
            // Unlocked too early, the directory could be taken by a starting emulator while it is removed.
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.hasPrefix(namePrefix) && UUID(uuidString: String(name.dropFirst(namePrefix.count))) != nil
    }
}
