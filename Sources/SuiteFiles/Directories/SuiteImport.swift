// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON

/// The data of one service, as they are read from an export.
package protocol ImportPart: Sendable {
    /// The service's name in the list of what an export holds, such as `storage`.
    var service: String { get }

    /// Whether a directory has data of the service alone, as `storage_export` does.
    func isAlone(in root: String) throws -> Bool

    /// The size of the files that are read.
    func byteCount(of source: ImportSource) throws -> Int64

    /// Reads the data, all or nothing.
    ///
    /// - Parameters:
    ///   - source: Where they are.
    ///   - counts: Grows with what is read.
    ///   - work: Takes reports.
    /// - Throws: ``ExportError``, or what the store throws.
    func read(_ source: ImportSource, _ counts: inout ExportCounts, _ work: TransferWork) throws
}

/// Where data of a service are.
package struct ImportSource {
    /// The directory of the export.
    let root: String
    /// Its list of services; `nil` where it has the data of one service alone.
    let manifest: ExportManifest?
}

/// Loads an export of the official Firebase emulators, of any of their versions.
///
/// The data of each service are loaded all or not at all.
package struct SuiteImport {
    private let parts: [any ImportPart]
    private let directory: String

    /// Imports a directory.
    ///
    /// - Parameters:
    ///   - directory: That of `firebase-export-metadata.json`, or one that holds the data of one service.
    ///   - parts: The services that take data.
    package init(_ directory: String, into parts: [any ImportPart]) {
        (self.directory, self.parts) = (directory, parts)
    }

    /// The services whose data an export has.
    ///
    /// - Parameter directory: That of the export.
    /// - Returns: Their names.
    /// - Throws: ``ExportError`` for a directory that is none.
    package static func services(in directory: String) throws -> [String] {
        let root = FileTree.absolute(directory)
        try ReplacedDirectory.recover(root)
        guard let manifest = try ExportManifest(of: root) else { throw ExportError.missing(root) }
        return manifest.services
    }

    /// Imports everything.
    ///
    /// - Parameter work: Takes reports.
    /// - Returns: How much was read.
    /// - Throws: ``ExportError``.
    package func run(_ work: TransferWork = TransferWork()) throws -> ExportCounts {
        let root = FileTree.absolute(directory)
        try ReplacedDirectory.recover(root)
        var counts = ExportCounts()
        if let manifest = try ExportManifest(of: root) {
            let strange = manifest.services.filter { name in !parts.contains { $0.service == name } }
            if !strange.isEmpty {
                work.onWarning("\(root) also holds \(strange.joined(separator: ", ")), which is not imported")
            }
            let source = ImportSource(root: root, manifest: manifest)
            try read(parts.filter { ![nil, .null].contains(manifest[$0.service]) }, source, &counts, work)
        } else if let part = try parts.first(where: { try $0.isAlone(in: root) }) {
            try read([part], ImportSource(root: root, manifest: nil), &counts, work)
        } else {
            guard try FileTree.kind(of: root) != nil else { throw ExportError.missing(root) }
            work.onWarning("\(root) is no export of the Firebase emulators: nothing is imported")
        }
        return counts
    }

    private func read(
        _ parts: [any ImportPart],
        _ source: ImportSource,
        _ counts: inout ExportCounts,
        _ work: TransferWork
    ) throws {
        // Files whose size cannot be known are an error when they are read.
        work.onSize?(parts.reduce(0) { $0.joined(with: (try? $1.byteCount(of: source)) ?? 0) })
        for part in parts { try part.read(source, &counts, work) }
    }
}

extension Int64 {
    /// The sum of sizes, which sparse files may say to be beyond all numbers.
    func joined(with other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? .max : sum
    }
}
