// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Paths of a project's files.
enum ProjectPath {
    /// The directory that holds a file or directory; the root for the root.
    static func parent(of absolutePath: String) -> String {
        FileTree.absolute("..", from: absolutePath)
    }

    /// The last step of a path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether an absolute path lies in a directory, or is it.
    static func lies(_ path: String, in directory: String) -> Bool {
        path == directory || path.hasPrefix(directory == "/" ? "/" : directory + "/")
    }

    /// The path of a file that `firebase.json` names.
    ///
    /// Absolute paths may lead anywhere, relative ones must stay within the project. Source: firebase-tools 15.28.1,
    /// `Config.path` in `src/config.ts`.
    ///
    /// - Parameters:
    ///   - path: The path as the file has it.
    ///   - directory: The project's directory.
    /// - Returns: The absolute path.
    /// - Throws: `SuiteConfigurationError`.
    static func file(_ path: String, in directory: String) throws(SuiteConfigurationError) -> String {
        guard !path.utf8.contains(0) else { throw .badFile("a path in firebase.json holds a zero byte") }
        let absolutePath = FileTree.absolute(path, from: directory)
        guard path.hasPrefix("/") || lies(absolutePath, in: directory) else {
            throw .badFile("\(path) is outside of project directory")
        }
        return absolutePath
    }

    /// Whether there is a regular file, links followed.
    static func isFile(_ path: String) -> Bool {
        (try? FileSystem<SuiteConfigurationError>.status(of: path))?.kind == .regular
    }
}
