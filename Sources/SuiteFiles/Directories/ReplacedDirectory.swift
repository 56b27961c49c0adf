// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CFileSystem
import Foundation

/// A directory that is written beside the old one and takes its place whole.
///
///     .NAME.firemeter-new     is being written; a left one is worth nothing
///     .NAME.firemeter-old     the old one, where the file system cannot exchange two names in one step
///
/// Whenever the process dies, either the old or the new directory is whole at NAME, or the old one is put back there by
/// ``recover(_:)``. One process at a time replaces directories in the same parent; others wait.
struct ReplacedDirectory {
    /// The directory to be replaced.
    let path: String
    /// Where to write the new one.
    let staging: String
    private let parent: LockedDirectory

    /// Begins with an empty directory; `path` must be absolute, and its parent must exist.
    init(_ path: String) throws {
        self.path = path
        staging = Self.sibling(of: path, suffix: "new")
        parent = try LockedDirectory((path as NSString).deletingLastPathComponent)
        try Self.putBack(path)
        try FileTree.removeTree(Self.sibling(of: path, suffix: "old"))
        try FileTree.removeTree(staging)
        try FileTree.createDirectory(staging)
    }

    /// Puts a directory back from where a dead process left it, if need be.
    static func recover(_ path: String) throws {
        let parent = try LockedDirectory((path as NSString).deletingLastPathComponent)
        try withExtendedLifetime(parent) { try putBack(path) }
    }

    private static func putBack(_ path: String) throws {
        let old = sibling(of: path, suffix: "old")
        guard try FileTree.kind(of: path) == nil, try FileTree.kind(of: old) != nil else { return }
        try FileTree.move(old, to: path)
    }

    /// Makes the new directory durable, gives it the name, and removes the old one.
    func commit() throws {
        try parent.synchronizeFileSystem()
        if try FileTree.kind(of: path) == nil {
            try FileTree.move(staging, to: path)
        } else if firemeter_swap(staging, path) != 0 {
            try commitInTwoSteps()
        }
        try parent.synchronize()
        // The new one is in place: what cannot be removed now is removed by the next export.
        try? FileTree.removeTree(staging)
        try? FileTree.removeTree(Self.sibling(of: path, suffix: "old"))
    }

    /// Where two names cannot be exchanged: a death between the steps leaves nothing at NAME until it is recovered.
    func commitInTwoSteps() throws {
        let old = Self.sibling(of: path, suffix: "old")
        try FileTree.move(path, to: old)
        do {
            try FileTree.move(staging, to: path)
        } catch {
            // Best effort: if this fails too, the next start finds the `old` sibling and recovers it.
            try? FileTree.move(old, to: path)
            throw error
        }
    }

    /// Removes what was written.
    func discard() {
        try? FileTree.removeTree(staging)
    }

    private static func sibling(of path: String, suffix: String) -> String {
        let name = (path as NSString).lastPathComponent
        return "\((path as NSString).deletingLastPathComponent)/.\(name).firemeter-\(suffix)"
    }
}
