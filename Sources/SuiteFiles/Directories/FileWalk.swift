// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The regular files below a directory, one at a time; throws at a link and at anything else that is neither file nor
/// directory.
///
/// Holds one open directory for each level, so that memory does not grow with the number of files.
final class FileWalk {
    /// Directories inside each other: more than file descriptors, and than segments of any usual name.
    static let depthMax = 256

    private let root: String
    private var levels: [(names: DirectoryNames<ExportError>, prefix: String)] = []

    init(_ root: String) throws {
        self.root = root
        try descend(into: "")
    }

    /// Returns the path of the next file, as seen from the directory; `nil` after the last.
    func next() throws -> String? {
        while let level = levels.last {
            guard let name = level.names.next() else {
                levels.removeLast()
                continue
            }
            let relative = level.prefix + name
            switch try FileTree.kind(of: "\(root)/\(relative)") {
            case .regular: return relative
            case .directory: try descend(into: relative + "/")
            case .link: throw ExportError.link("\(root)/\(relative)")
            case .other, nil: throw ExportError.badFile("\(root)/\(relative)", because: "is no regular file")
            }
        }
        return nil
    }

    private func descend(into prefix: String) throws {
        let path = "\(root)/\(prefix)"
        guard levels.count < Self.depthMax else {
            throw ExportError.badFile(path, because: "lies more than \(Self.depthMax) directories deep")
        }
        levels.append((try DirectoryNames(path), prefix))
    }
}
