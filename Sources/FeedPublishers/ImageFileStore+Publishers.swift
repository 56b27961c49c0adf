// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import FeedClient
public import Foundation

extension ImageFileStore {
    /// Saves an encoded image for each subscriber; see ``FeedClient/ImageFileStore/save(_:as:)``.
    public func savePublisher(_ data: Data, as id: UUID = UUID()) -> ColdPublisher<UUID, ImageFileError> {
        ColdPublisher { () async throws(ImageFileError) in try await self.save(data, as: id) }
    }

    /// Loads an encoded image for each subscriber.
    public func loadPublisher(_ id: UUID) -> ColdPublisher<Data, ImageFileError> {
        ColdPublisher { () async throws(ImageFileError) in try await self.load(id) }
    }

    /// Deletes an image for each subscriber.
    public func deletePublisher(_ id: UUID) -> ColdPublisher<Void, ImageFileError> {
        ColdPublisher { () async throws(ImageFileError) in try await self.delete(id) }
    }

    /// Joins records with their images for each subscriber; see
    /// ``FeedClient/ImageFileStore/illustrate(_:placeholder:by:)``.
    public func illustratePublisher<Record: Sendable>(
        _ records: [Record],
        placeholder: Data,
        by id: @escaping @Sendable (Record) -> UUID?
    ) -> ColdPublisher<[IllustratedRecord<Record>], Never> {
        ColdPublisher(unlessCancelled: { try await self.illustrate(records, placeholder: placeholder, by: id) })
    }
}
