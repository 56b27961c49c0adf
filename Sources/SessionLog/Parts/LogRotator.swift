// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Sets a session log aside when it is full, and compresses what was set aside.
final class LogRotator: Sendable {
    private let path: String
    private let rotation: SessionLogRotation
    // Whoever writes a line does not wait for compression.
    private let queue = DispatchQueue(label: "firemeter.log-rotator", qos: .utility)

    /// Begins with what was left uncompressed when a process died.
    init(_ path: String, _ rotation: SessionLogRotation) {
        self.path = path
        self.rotation = rotation
        tidyLater()
    }

    /// Sets the file aside if it, which has so many bytes, is full.
    func rotate(_ file: inout LatestFile, _ byteCount: Int64) throws(SessionLogError) {
        guard byteCount >= rotation.byteCountMax else { return }
        try file.setAside()
        tidyLater()
    }

    /// Waits for compression to end.
    func finish() { queue.sync {} }

    private func tidyLater() {
        queue.async { [path, rotation] in
            var parts = SetAsidePart.all(of: path)[...]
            if let keptCountMax = rotation.keptCountMax {
                for part in parts.dropLast(keptCountMax) { part.remove() }
                parts = parts.suffix(keptCountMax)
            }
            // One that cannot be compressed can be read as it is; the next rotation tries again.
            for part in parts { try? part.compress() }
        }
    }
}
