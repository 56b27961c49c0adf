// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Operations on the names of files.
package enum FileSystem<Failure: FileFailure> {
    /// The file or directory at a path; `nil` where nothing is.
    package static func status(of path: String, followingLinks: Bool = true) throws(Failure) -> FileStatus? {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Failure(FileFault(.examine, path))
        }
        return FileStatus(status)
    }

    /// Gives a file or directory another name in its file system; a reader finds it under one of them, whole.
    package static func move(_ source: String, to target: String) throws(Failure) {
        guard rename(source, target) == 0 else { throw Failure(FileFault(.move, target)) }
    }

    /// As ``move(_:to:)``; returns `false` where the source or the target's directory does not exist.
    package static func moveIfThere(_ source: String, to target: String) throws(Failure) -> Bool {
        if rename(source, target) == 0 { return true }
        guard errno == ENOENT else { throw Failure(FileFault(.move, target)) }
        return false
    }

    /// Gives a file a second name within its file system, unless it has that already.
    ///
    /// - Returns: `false` when the source or the target's directory does not exist.
    package static func addName(_ target: String, to source: String) throws(Failure) -> Bool {
        if link(source, target) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT else { throw Failure(FileFault(.link, target)) }
        return false
    }

    /// Removes a file; one that does not exist is fine.
    package static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(FileFault(.remove, path)) }
    }

    /// Creates a directory for its owner alone, which must not exist.
    package static func createDirectory(_ path: String) throws(Failure) {
        guard mkdir(path, FileAccess.ownerDirectoryMode) == 0 else { throw Failure(FileFault(.create, path)) }
    }

    /// Creates a directory and those above it for their owner alone; those that are there stay as they are.
    package static func createDirectories(_ path: String) throws(Failure) {
        let number = makeDirectories(path)
        guard number == 0 else { throw Failure(FileFault(.create, path, number: number)) }
    }

    /// Returns 0, or the error number.
    private static func makeDirectories(_ path: String) -> CInt {
        if mkdir(path, FileAccess.ownerDirectoryMode) == 0 { return 0 }
        switch errno {
        case EEXIST:
            return (try? FileSystem<FileFault>.status(of: path))?.kind == .directory ? 0 : ENOTDIR
        case ENOENT:
            guard let parent = parent(of: path) else { return ENOENT }
            let number = makeDirectories(parent)
            guard number == 0 else { return number }
            return mkdir(path, FileAccess.ownerDirectoryMode) == 0 || errno == EEXIST ? 0 : errno
        case let number:
            return number
        }
    }

    private static func parent(of path: String) -> String? {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/"), slash != trimmed.startIndex else { return nil }
        return String(trimmed[..<slash])
    }

    /// Waits until the names in a directory survive the death of the machine.
    package static func synchronizeDirectory(_ path: String) throws(Failure) {
        try OpenFile<Failure>(path, .directory).synchronize()
    }

    /// The path without symbolic links; as it is where there is no file.
    package static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The names in a directory, in no order; none where there is no directory.
    package static func names(in path: String) throws(Failure) -> [String] {
        guard let names = try DirectoryNames<Failure>(ifThere: path) else { return [] }
        return Array(names)
    }
}

/// The names in a directory, in no order and without `.` and `..`, read as they are asked for.
package final class DirectoryNames<Failure: FileFailure>: Sequence, IteratorProtocol {
    private let stream: DirectoryStream

    package init(_ path: String) throws(Failure) {
        guard let stream = opendir(path) else { throw Failure(FileFault(.list, path)) }
        self.stream = stream
    }

    /// `nil` where there is no directory.
    package init?(ifThere path: String) throws(Failure) {
        guard let stream = opendir(path) else {
            let fault = FileFault(.list, path)
            guard fault.isMissing else { throw Failure(fault) }
            return nil
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    package func next() -> String? {
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { return name }
        }
        return nil
    }
}

#if canImport(Darwin)
private typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
private typealias DirectoryStream = OpaquePointer
#endif
