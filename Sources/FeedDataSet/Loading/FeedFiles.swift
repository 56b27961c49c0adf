// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// The few questions that loading asks the file system.
enum FeedFiles {
    /// `nil` where nothing is; links are followed.
    static func kind(of path: String) -> FileStatus.Kind? {
        (try? FileSystem<FileFault>.status(of: path))?.kind
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
        do {
            // Waiting, a named pipe that took the file's place would open only once it has a writer.
            let file = try OpenFile<FileFault>(path, .reading, .notWaiting)
            let status = try file.status()
            guard status.kind == .regular else { throw FeedDataSetError.notRegular(path) }
            let byteCount = Int(status.byteCount)
            guard byteCount <= byteCountMax else {
                throw FeedDataSetError.fileTooLarge(path, byteCount: byteCount, limit: byteCountMax)
            }
            return try FileHandle(fileDescriptor: file.descriptor).read(upToCount: byteCount) ?? Data()
        } catch let error as FeedDataSetError {
            throw error
        } catch {
            throw .unreadable(path)
        }
    }

    static func join(_ folder: String, name: String) -> String {
        name.hasPrefix("/") ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
