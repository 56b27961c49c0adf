// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedPublishers
import Foundation

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

// The code of the article "Files off the main thread".

/// A note with a picture.
struct Note: Sendable {
    let text: String
    let imageID: UUID?
}

/// Notes and the files of their pictures.
struct Notebook {
    let files: ImageFileStore
    let placeholder: Data

    func save(_ text: String, _ picture: Data) async throws(ImageFileError) -> Note {
        Note(text: text, imageID: try await files.save(picture))
    }

    func illustrated(_ notes: [Note]) async throws -> [IllustratedRecord<Note>] {
        try await files.illustrate(notes, placeholder: placeholder) { $0.imageID }
    }

    func picture(_ id: UUID, _ show: @escaping @Sendable (Data) -> Void) -> AnyCancellable {
        files.loadPublisher(id).replaceError(with: placeholder).sink(receiveValue: show)
    }
}
