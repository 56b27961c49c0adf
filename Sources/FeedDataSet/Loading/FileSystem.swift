// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The few questions that loading asks the file system.
enum FileSystem {
    enum Kind {
        case file
        case folder
        /// A named pipe, a socket or a device, which may never end, or never even open.
        case other
    }

    /// `nil` where nothing is; links are followed.
    static func kind(of path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return kind(of: status)
    }

    private static func kind(of status: stat) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// The names in a folder in the order of their bytes, without hidden ones such as `.DS_Store`.
    static func names(in folder: String) throws(FeedDataSetError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return names.filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            throw .unreadable(folder)
        }
    }

    /// A whole regular file; its size is looked at before it is read.
    static func contents(of path: String, byteCountMax: Int) throws(FeedDataSetError) -> Data {
        // Without O_NONBLOCK, a named pipe that took the file's place opens only once it has a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        guard kind(of: status) == .file else { throw .notRegular(path) }
        let byteCount = Int(status.st_size)
        guard byteCount <= byteCountMax else {
            throw .fileTooLarge(path, byteCount: byteCount, limit: byteCountMax)
        }
        do {
            return try file.read(upToCount: byteCount) ?? Data()
        } catch {
            throw .unreadable(path)
        }
    }

    static func join(_ folder: String, _ name: String) -> String {
        name.hasPrefix("/") ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
