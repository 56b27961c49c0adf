// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

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
