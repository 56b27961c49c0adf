// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Imaging

/// Image files by UUID in a directory, saved, loaded and deleted off the caller's thread, several at a time.
///
/// A file is written under another name and renamed, so that half an image is never loaded. Files are written at utility
/// priority, and loaded at the priority of the caller, who shows them.
public struct ImageFileStore: Sendable {
    /// Writes a whole file or none.
    package typealias Write = @Sendable (Data, URL) throws -> Void

    private static let nameExtension = "image"

    private let directory: URL
    private let write: Write

    /// Opens a directory, or creates it.
    public init(directory: URL) throws(ImageFileError) {
        try self.init(directory: directory) { try $0.write(to: $1, options: .atomic) }
    }

    /// Opens a directory whose files are written by `write`.
    package init(directory: URL, write: @escaping Write) throws(ImageFileError) {
        self.directory = directory
        self.write = write
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw .invalidPath(directory.path)
        }
    }

    /// Saves an encoded image, in place of another of the same id; returns the id.
    @concurrent @discardableResult
    public func save(_ data: Data, as id: UUID = UUID()) async throws(ImageFileError) -> UUID {
        try Self.check(data, id: id)
        try await atUtilityPriority { () throws(ImageFileError) in
            do {
                try write(data, url(id))
            } catch {
                throw .failedWrite(id, error.localizedDescription)
            }
        }
        return id
    }

    /// Loads an encoded image.
    @concurrent public func load(_ id: UUID) async throws(ImageFileError) -> Data {
        let data: Data
        do {
            data = try Data(contentsOf: url(id))
        } catch {
            throw .failedRead(id, error.localizedDescription)
        }
        try Self.check(data, id: id)
        return data
    }

    /// Deletes an image; one that is not there is not an error.
    @concurrent public func delete(_ id: UUID) async throws(ImageFileError) {
        do {
            try FileManager.default.removeItem(at: url(id))
        } catch {
            guard FileManager.default.fileExists(atPath: url(id).path) else { return }
            throw .failedWrite(id, error.localizedDescription)
        }
    }

    /// The ids of the images there are, in alphabetical order.
    @concurrent public func ids() async throws(ImageFileError) -> [UUID] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .map { URL(fileURLWithPath: $0) }
                .filter { $0.pathExtension == Self.nameExtension }
                .map { $0.deletingPathExtension().lastPathComponent }
                .sorted()
                .compactMap { UUID(uuidString: $0) }
        } catch {
            throw .invalidPath(directory.path)
        }
    }

    private func url(_ id: UUID) -> URL {
        directory.appendingPathComponent(id.uuidString).appendingPathExtension(Self.nameExtension)
    }

    private static func check(_ data: Data, id: UUID) throws(ImageFileError) {
        do {
            _ = try ImageInspector.inspect(Array(data.prefix(ImageInspector.headerByteCountMax)))
        } catch {
            throw .invalidData(id, "\(error)")
        }
    }
}

/// A record with its image, or with the placeholder when there is none.
public struct IllustratedRecord<Record: Sendable>: Sendable {
    /// The record.
    public let record: Record
    /// The encoded image, or the placeholder.
    public let image: Data
    /// Why it is the placeholder; `nil` for the record's own image.
    public let error: ImageFileError?
}

extension ImageFileStore {
    /// The records in their order, each with its image; a record without an image, or whose image fails, gets the
    /// placeholder.
    ///
    /// Images are loaded several at a time. Throws `CancellationError` when the task is cancelled, and nothing else.
    public func illustrate<Record: Sendable>(
        _ records: [Record],
        placeholder: Data,
        by id: @escaping @Sendable (Record) -> UUID?
    ) async throws -> [IllustratedRecord<Record>] {
        try await records.concurrentCompactMap { record in
            guard let id = id(record) else { return IllustratedRecord(record: record, image: placeholder, error: nil) }
            do throws(ImageFileError) {
                return IllustratedRecord(record: record, image: try await load(id), error: nil)
            } catch {
                return IllustratedRecord(record: record, image: placeholder, error: error)
            }
        }
    }
}
