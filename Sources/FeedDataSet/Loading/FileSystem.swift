// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The few questions that loading asks the file system.
enum FileSystem {
    enum Kind {
        case file
        case folder
    }

    /// `nil` where nothing is; links are followed.
    static func kind(of path: String) -> Kind? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        return isFolder.boolValue ? .folder : .file
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

    /// A whole file; its size is looked at before it is read.
    static func contents(of path: String, byteCountMax: Int) throws(FeedDataSetError) -> Data {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let byteCount = Int(try file.seekToEnd())
            guard byteCount <= byteCountMax else {
                throw FeedDataSetError.fileTooLarge(path, byteCount: byteCount, limit: byteCountMax)
            }
            try file.seek(toOffset: 0)
            return try file.read(upToCount: byteCount) ?? Data()
        } catch let error as FeedDataSetError {
            throw error
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
