// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Sets a session log aside when it is full, and compresses what was set aside.
final class LogRotator: Sendable {
    private struct State {
        var byteCountMax: Int64
        var failure: SessionLogError?
    }

    private let path: String
    private let header: SessionHeader
    private let rotation: SessionLogRotation
    private let state: Locked<State>
    // A writer of a line does not wait for compression.
    private let queue = DispatchQueue(label: "firemeter.log-rotator", qos: .utility)

    /// Begins with what was left uncompressed when a process died.
    init(_ path: String, header: SessionHeader, rotation: SessionLogRotation) {
        self.path = path
        self.header = header
        self.rotation = rotation
        state = Locked(State(byteCountMax: rotation.byteCountMax))
        tidyLater()
    }

    /// Why the log could not be set aside; it continues in the file that it has.
    var failure: SessionLogError? { state.withLock { $0.failure } }

    /// Sets the file aside if it, which has `byteCount` bytes, is full.
    func rotate(_ file: inout LatestFile, byteCount: Int64) {
        state.withLock { state in
            guard byteCount >= state.byteCountMax else { return }
            do throws(SessionLogError) {
                try file.setAside()
                state.byteCountMax = rotation.byteCountMax
                tidyLater()
            } catch {
                state.failure = error
                // Not with every line.
                state.byteCountMax = byteCount + rotation.byteCountMax
            }
        }
    }

    /// Waits for compression to end.
    func finish() { queue.sync {} }

    private func tidyLater() {
        queue.async { [self] in
            // A file that cannot be tidied up can be read as it is; the next rotation tries again.
            guard let parts = try? ownParts() else { return }
            let dropCount = rotation.keptCountMax.map { max(0, parts.count - $0) } ?? 0
            for part in parts.prefix(dropCount) { part.remove() }
            for part in parts.dropFirst(dropCount) { try? part.compress() }
        }
    }

    /// Those that others have put beside the log are left alone.
    private func ownParts() throws(SessionLogError) -> [SetAsidePart] {
        try SetAsidePart.all(of: path).filter { (try? $0.header()) == header }
    }
}
