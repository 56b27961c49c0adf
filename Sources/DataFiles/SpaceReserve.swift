// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import NIOConcurrencyHelpers

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Space on the disk, kept in a file so that things can be deleted when the disk is full.
///
///     kept ──▶ a deletion finds the disk full ──▶ given up ──▶ the deletion again ──▶ kept again
///      ▲                                                                                 │
///      └───────────────── as soon as there is room for all of it ◀───────────────────────┘
///
/// While some of it is missing, the stores take nothing new: what deletions set free comes back here first. Deleting
/// takes room in the logs of the databases, and copying those into their files takes as much as the logs have: at most
/// two thirds of the space for documents, a sixth for objects, and a sixth for the meter.
package final class SpaceReserve: Sendable {
    /// The space kept on a disk that is not small.
    package static let byteCountDefault: Int64 = 24 << 20
    /// The space kept for data that go with their process.
    package static let byteCountOfTemporary: Int64 = 4 << 20
    /// No more than this part of the disk is kept.
    private static let diskPart: Int64 = 8
    /// A reserve smaller than it should be is a multiple of this.
    private static let stepByteCount: Int64 = 64 << 10

    private struct State {
        var isMissing = false
        /// Deletions that run in the space that was given up.
        var deletionCount = 0
    }

    /// How much is kept; 0 where nothing is.
    package let byteCount: Int64
    private let path: String
    private let state: NIOLockedValueBox<State>

    /// Keeps nothing: deletions find the disk as it is.
    package static let none = SpaceReserve(path: "", byteCount: 0)

    /// Takes over the file of a former run, if there is one; ``refill()`` makes it whole.
    ///
    /// - Parameters:
    ///   - path: The file, in a directory that exists.
    ///   - byteCountMax: How much to keep, on a disk that is not small.
    package convenience init(_ path: String, byteCountMax: Int64 = byteCountDefault) {
        OwnFiles.closeToOthers(path)
        let disk = Disk.byteCounts(at: Substring(path).parent).whole
        self.init(path: path, byteCount: min(byteCountMax, disk / Self.diskPart) & ~(Self.stepByteCount - 1))
    }

    private init(path: String, byteCount: Int64) {
        self.path = path
        self.byteCount = byteCount
        state = NIOLockedValueBox(State(isMissing: byteCount > 0))
    }

    /// Whether some of the space is missing and cannot be had now: then nothing new is to be stored.
    package var isShort: Bool {
        state.withLockedValue { state in
            guard state.isMissing else { return false }
            fill(&state)
            return state.isMissing
        }
    }

    /// Keeps what is missing, as far as there is room.
    package func refill() { state.withLockedValue { fill(&$0) } }

    /// Runs something that sets space free; where the disk fails it, once more with the space that is kept.
    ///
    /// - Parameters:
    ///   - isFault: Whether an error is the disk's.
    ///   - tidy: Runs after the second attempt, however it ends: makes the logs give back their space.
    ///   - body: The deletion, which may be run twice.
    /// - Returns: What the body returned.
    /// - Throws: The body's error.
    package func deleting<Result>(
        isFault: (any Error) -> Bool,
        tidy: () -> Void = {},
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch  where byteCount > 0 && isFault(error) {
            state.withLockedValue { giveUp(&$0) }
            defer {
                tidy()
                state.withLockedValue { state in
                    state.deletionCount -= 1
                    fill(&state)
                }
            }
            return try body()
        }
    }

    private func giveUp(_ state: inout State) {
        state.isMissing = true
        state.deletionCount += 1
        _ = truncate(path, 0)
    }

    private func fill(_ state: inout State) {
        guard state.isMissing, state.deletionCount == 0 else { return }
        // Without a descriptor there is no reserve this time; the next write that finds room fills it.
        guard let file = try? OpenFile<FileFault>(path, .readingAndWriting, .creating) else { return }
        switch Disk.allocate(byteCount, for: file.descriptor) {
        case 0:
            state.isMissing = false
        case ENOSPC, EDQUOT:
            // Part of it may be enough for the next deletion.
            let kept = (try? file.status().byteCount) ?? 0
            let room = Disk.byteCounts(at: path).available & ~(Self.stepByteCount - 1)
            if room > 0 { _ = Disk.allocate(min(kept + room, byteCount), for: file.descriptor) }
        default:
            // The file system cannot keep space, or the process may not make such files; nothing is refused for that.
            state.isMissing = false
        }
    }
}

extension Substring {
    fileprivate var parent: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
