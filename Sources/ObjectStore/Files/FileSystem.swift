// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The operations on names of files that the store needs.
enum FileSystem {
    /// Creates a directory and those above it for their owner; those that exist already are fine.
    static func createDirectory(_ path: String) throws {
        let error = OwnFiles.createDirectory(path)
        guard error == 0 else { throw ObjectStoreError.system("create", path, number: error) }
    }

    /// Moves a file within the file system; a reader sees it under one of the names, whole.
    ///
    /// - Returns: `false` when the source or the target's directory does not exist.
    static func move(_ source: String, to target: String) throws -> Bool {
        if rename(source, target) == 0 { return true }
        guard errno == ENOENT else { throw ObjectStoreError.system("move a file to", target) }
        return false
    }

    /// Gives a file a second name within the file system, unless it has that already.
    ///
    /// - Returns: `false` when the source or the target's directory does not exist.
    static func addName(_ target: String, to source: String) throws -> Bool {
        if link(source, target) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT else { throw ObjectStoreError.system("link a file to", target) }
        return false
    }

    /// Removes a file; one that does not exist is fine.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw ObjectStoreError.system("remove", path) }
    }

    /// Waits until the names in a directory survive the death of the machine.
    static func synchronizeDirectory(_ path: String) throws {
        try StoreFile.openingDirectory(path).synchronize()
    }

    /// Returns the names in a directory, in no order and without `.` and `..`; none when there is no directory.
    static func names(in path: String) throws -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw ObjectStoreError.system("list", path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
