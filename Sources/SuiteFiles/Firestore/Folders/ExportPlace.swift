// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Follows the paths in an export's files, which must not lead out of its folder.
struct ExportPlace {
    /// The folder of the export.
    let folder: String

    /// Returns the file that a path leads to.
    ///
    /// Where there is none of its name, one counts that differs in colons only: some systems' file names have none.
    ///
    /// - Parameters:
    ///   - path: The path as the export has it.
    ///   - start: The folder in which the path begins, as seen from that of the export.
    ///   - file: The file that has the path, for the error's text.
    /// - Returns: The file's path, as seen from the export's folder.
    /// - Throws: `ExportError` for a path that leads elsewhere, or over a link.
    func resolve(_ path: String, from start: String = "", namedIn file: String) throws -> String {
        guard let steps = FileTree.steps(within: path) else {
            throw ExportError.badFile(file, because: "names '\(path)', which is not a path within the export")
        }
        var reached = start
        for step in steps {
            let name = try self.name(like: String(step), in: reached)
            reached += reached.isEmpty ? name : "/" + name
            let full = "\(folder)/\(reached)"
            if try FileTree.kind(of: full) == .link { throw ExportError.link(full) }
        }
        return reached
    }

    /// The path as the system has it.
    func file(_ path: String) -> String { "\(folder)/\(path)" }

    /// The folder in which a file is.
    static func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func name(like name: String, in parent: String) throws -> String {
        let directory = parent.isEmpty ? folder : "\(folder)/\(parent)"
        guard name.utf8.contains(UInt8(ascii: ":")), try FileTree.kind(of: "\(directory)/\(name)") == nil else {
            return name
        }
        let others = try FileTree.names(in: directory).filter { Self.isRenamed($0, from: name) }
        return others.count == 1 ? others[0] : name
    }

    /// Whether a name is another one with each colon replaced by some characters that are the same for all, or by none.
    private static func isRenamed(_ name: String, from original: String) -> Bool {
        ["_", "-", ".", " ", "%3A", "%3a", "\u{F03A}", "\u{A789}", "\u{FF1A}", ""].contains { replacement in
            original.replacing(":", with: replacement).utf8.elementsEqual(name.utf8)
        }
    }
}
