// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import Foundation
import SuiteFiles

extension Emulator {
    /// Writes the exports that are asked for while the emulator serves.
    func exporting(_ rooms: EmulatorRooms) -> ExportEndpoint.Exporting {
        { [configuration, onExport, log] request in
            try configuration.requireMayExport(to: request.path)
            let export = rooms.suiteExport
            let targets = export.services.filter { request.targets?.contains($0) ?? true }
            guard !targets.isEmpty else { return [] }
            let start = ContinuousClock.now
            let counts: ExportCounts
            do {
                counts = try await TransferThread.answer {
                    try export.write(to: request.path, targets: targets, .warning(in: log))
                }
            } catch {
                // firebase-tools says no more than that the log has more.
                onExport(.warning("an export that was asked for failed: \(error)"))
                throw error
            }
            onExport(.exported(counts, to: request.path, within: start.duration(to: .now)))
            return targets
        }
    }
}

extension TransferWork {
    /// Writes warnings to a log, where those who call can see them.
    static func warning(in log: SuiteLog) -> Self {
        var work = Self()
        work.onWarning = { log.add($0, level: "warn") }
        return work
    }
}

extension EmulatorConfiguration {
    /// Throws for a directory outside of those to which exports are confined: one of them is where the data go at the end.
    func requireMayExport(to path: String) throws(ExportError) {
        // PATH_MAX of Linux; no longer path can be opened.
        guard path.utf8.count < 4_096 else { throw .outside(String(path.prefix(100)) + "…", of: exportBound) }
        let bounds = [exportBound, exportPath].compactMap(\.self).map { bound in
            Self.followingLinks(URL(fileURLWithPath: FileTree.absolute(bound)))
        }
        let target = Self.followingLinks(URL(fileURLWithPath: FileTree.absolute(path)))
        guard bounds.contains(where: target.starts) else { throw .outside(path, of: exportBound) }
    }

    /// The components of a path in which links are followed as far as there is something.
    private static func followingLinks(_ url: URL) -> [String] {
        guard url.path != "/" else { return ["/"] }
        if let resolved = realpath(url.path, nil) {
            defer { free(resolved) }
            return URL(fileURLWithPath: String(cString: resolved)).pathComponents
        }
        return followingLinks(url.deletingLastPathComponent()) + [url.lastPathComponent]
    }
}
