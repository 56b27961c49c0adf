// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why an image file could not be saved, loaded or deleted.
public enum ImageFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The directory is none, or cannot be made.
    case invalidPath(String)
    /// The bytes are not an image of a known format; nothing was written, or the file is not an image any more.
    case invalidData(UUID, String)
    /// The file could not be written, or not be deleted.
    case failedWrite(UUID, String)
    /// There is no such file, or it could not be read.
    case failedRead(UUID, String)

    /// The problem, and how to remedy it.
    public var description: String {
        switch self {
        case .invalidPath(let path): "\(path) cannot hold image files; pass a directory that can be created and written"
        case .invalidData(let id, let problem): "image \(id): \(problem)"
        case .failedWrite(let id, let problem): "image \(id) cannot be written: \(problem)"
        case .failedRead(let id, let problem): "image \(id) cannot be read: \(problem)"
        }
    }
}
