// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles
import Foundation

/// Where a local Firebase keeps its files.
struct DataDirectory: Sendable {
    let path: String
    private let ephemeral: EphemeralDirectory?

    private static let reserveName = "reserve"
    private static let snapshotsName = "snapshots"
    private static let databaseNames = ["firestore.sqlite", "usage.sqlite", "accounts.sqlite"]
    /// The names of what the rooms keep there; SQLite puts files of its own beside a database.
    private static let ownNames = Set(
        ["storage", snapshotsName, reserveName]
            + databaseNames.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } }
    )

    /// Whether the directory is removed at the end.
    var isTemporary: Bool { ephemeral != nil }

    /// Creates the directory for its owner if need be, and removes temporary ones that processes left when they were killed.
    init(_ configuration: EmulatorConfiguration) throws(EmulatorError) {
        switch configuration.storage {
        case .directory(let path):
            self.path = path
            ephemeral = nil
            do {
                try FileSystem<FileFault>.createDirectories(path)
            } catch {
                throw .cannotOpen("the data directory \(path)", reason: error.reason)
            }
            if holdsOurFilesAlone { OwnFiles.closeToOthers(path) }
        case .ephemeral:
            let parent = configuration.temporaryDirectory
            do {
                let directory = try EphemeralDirectory(in: parent)
                path = directory.path
                ephemeral = directory
            } catch {
                throw .cannotOpen("a data directory in \(parent)", error: error)
            }
            // Large data take a while to go, which no start should wait for.
            Thread.detachNewThread { EphemeralDirectory.sweep(parent) }
        }
    }

    /// Whether it is the directory of a former run; one that holds anything else is as open as its user wants it.
    private var holdsOurFilesAlone: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Self.databaseNames.contains { names.contains($0) } && Self.ownNames.isSuperset(of: names)
    }

    /// The directory of snapshots, which the first one makes.
    var snapshots: String { "\(path)/\(Self.snapshotsName)" }

    /// The space kept for deletions.
    func makeReserve() -> SpaceReserve {
        let byteCount = isTemporary ? SpaceReserve.byteCountOfTemporary : SpaceReserve.byteCountDefault
        return SpaceReserve("\(path)/\(Self.reserveName)", byteCountMax: byteCount)
    }

    func removeIfTemporary() {
        ephemeral?.remove()
    }

    /// Has a temporary directory stay when the process ends; returns where it is.
    func keepIfTemporary() -> String? { ephemeral?.keep() }
}
