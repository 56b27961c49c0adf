// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
package import JSON

/// The data of one service, as a part of an export.
package protocol ExportPart: Sendable {
    /// The service's name in the list of what an export holds, such as `storage`.
    var service: String { get }

    /// Writes the data.
    ///
    /// - Parameters:
    ///   - root: The directory of the export, which is new and is not in place before all parts are written.
    ///   - counts: Grows with what is written.
    ///   - work: Takes reports.
    /// - Returns: The service's entry in the list of what the export holds.
    /// - Throws: ``ExportError``, or what the store throws.
    func write(in root: String, _ counts: inout ExportCounts, _ work: TransferWork) throws -> JSONValue
}

/// Writes the data of all services into one directory, which is replaced in one step.
///
/// Until the end, and whenever this fails or the process dies, an earlier export stays whole. Services that are not among
/// the parts keep the data that the earlier export has of them.
package struct SuiteExport: Sendable {
    private let parts: [any ExportPart]

    /// Exports parts.
    package init(_ parts: [any ExportPart]) { self.parts = parts }

    /// The services whose data can be exported.
    package var services: [String] { parts.map(\.service) }

    /// Throws where an export could not be written: it is asked before there is anything to lose.
    ///
    /// - Parameter directory: Where it is to go.
    /// - Throws: ``ExportError``.
    package static func requireWritable(_ directory: String) throws {
        let root = FileTree.absolute(directory)
        guard try !isWorkingDirectory(below: root) else { throw ExportError.workingDirectory(root) }
        _ = try earlier(at: root)
        let parent = (root as NSString).deletingLastPathComponent
        try FileTree.createDirectories(parent)
        // A directory on which a file system is mounted cannot be replaced.
        let isMount = try FileTree.status(of: root, followingLinks: false).map { status in
            try FileTree.status(of: parent, followingLinks: true)?.identity.isOnSameDevice(as: status.identity) == false
        }
        if isMount == true { throw ExportError.mounted(root) }
        try ReplacedDirectory(root).discard()
    }

    /// Writes an export.
    ///
    /// - Parameters:
    ///   - directory: Where it goes; it is created if need be, and replaced if it is an export.
    ///   - targets: The services that are to be in it; `nil` for all.
    ///   - work: Takes reports.
    /// - Returns: How much was written.
    /// - Throws: ``ExportError``; its `notAnExport` for a directory that holds anything else.
    @discardableResult
    package func write(
        to directory: String,
        targets: [String]? = nil,
        _ work: TransferWork = TransferWork()
    ) throws -> ExportCounts {
        let root = FileTree.absolute(directory)
        guard try !Self.isWorkingDirectory(below: root) else { throw ExportError.workingDirectory(root) }
        try FileTree.createDirectories((root as NSString).deletingLastPathComponent)
        let target = try ReplacedDirectory(root)
        do {
            let earlier = try Self.earlier(at: root)
            let chosen = parts.filter { targets?.contains($0.service) ?? true }
            var manifest = earlier ?? ExportManifest()
            var counts = ExportCounts()
            for part in chosen {
                manifest[part.service] = try part.write(in: target.staging, &counts, work)
            }
            if let earlier {
                let replaced = try chosen.flatMap { try earlier.directories(of: $0.service, in: root) }
                try FileTree.keep(allBut: Set(replaced + [ExportLayout.manifest]), of: root, in: target.staging)
            }
            try manifest.write(to: target.staging)
            try target.commit()
            return counts
        } catch {
            target.discard()
            throw error
        }
    }

    /// Returns the list of what the directory holds; `nil` where there is nothing.
    private static func earlier(at root: String) throws -> ExportManifest? {
        switch try FileTree.kind(of: root) {
        case nil: return nil
        case .directory: break
        case .link, .regular, .other: throw ExportError.notADirectory(root)
        }
        if let manifest = try ExportManifest(of: root) { return manifest }
        guard try FileTree.isEmpty(root) else {
            throw ExportError.notAnExport(root, missing: ExportLayout.manifest)
        }
        return nil
    }

    /// Whether the working directory would be replaced, which no shell in it would notice.
    private static func isWorkingDirectory(below root: String) throws -> Bool {
        guard let identity = try FileTree.status(of: root, followingLinks: true)?.identity else { return false }
        var directory = FileManager.default.currentDirectoryPath
        while try FileTree.status(of: directory, followingLinks: true)?.identity != identity {
            guard directory != "/" else { return false }
            directory = (directory as NSString).deletingLastPathComponent
        }
        return true
    }
}

extension FileSystem where Failure == ExportError {
    /// Gives what is in a directory, but for some names, second names in another.
    fileprivate static func keep(allBut replaced: Set<String>, of root: String, in staging: String) throws {
        let names = try DirectoryNames<ExportError>(root)
        while let name = names.next() {
            guard !replaced.contains(name) else { continue }
            let (source, target) = ("\(root)/\(name)", "\(staging)/\(name)")
            guard try kind(of: target) == nil else {
                // It is not what the earlier export has of the service, and so not ours to replace.
                if try kind(of: source) == .directory, try isEmpty(source) { continue }
                throw ExportError.strangeName(source)
            }
            try linkTree(source, to: target)
        }
        try copyAccess(of: root, to: staging)
    }

    private static func copyAccess(of source: String, to target: String) throws {
        let access = try FileManager.default.attributesOfItem(atPath: source)[.posixPermissions]
        if let access { try FileManager.default.setAttributes([.posixPermissions: access], ofItemAtPath: target) }
    }

    /// Gives a file, or all files below a directory, second names; links are copied.
    private static func linkTree(_ source: String, to target: String, depth: Int = 0) throws {
        guard depth < FileWalk.depthMax else { throw ExportError.badFile(source, because: "lies too deep") }
        switch try kind(of: source) {
        case .directory:
            try createDirectory(target)
            let names = try DirectoryNames<ExportError>(source)
            while let name = names.next() {
                try linkTree("\(source)/\(name)", to: "\(target)/\(name)", depth: depth + 1)
            }
            try copyAccess(of: source, to: target)
        case .regular:
            // Where a file can have no second name, as on some file systems, it is copied.
            if (try? addName(target, to: source)) != true {
                try FileManager.default.copyItem(atPath: source, toPath: target)
            }
        case .link, .other: try FileManager.default.copyItem(atPath: source, toPath: target)
        case nil: throw ExportError.vanished(source)
        }
    }
}
