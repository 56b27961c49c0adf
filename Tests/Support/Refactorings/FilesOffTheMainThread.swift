// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import FeedPublishers
package import Foundation

#if canImport(Combine)
package import Combine
#else
package import OpenCombine
#endif

// The code of the article "Files off the main thread".

/// A note with a picture.
package struct Note: Sendable {
    package let text: String
    package let imageID: UUID?

    package init(text: String, imageID: UUID?) {
        self.text = text
        self.imageID = imageID
    }
}

/// Notes whose pictures are saved and loaded where the screen is drawn; one that is missing ends all.
@MainActor package struct MainThreadNotebook {
    let directory: URL

    package init(directory: URL) { self.directory = directory }

    package func save(_ text: String, _ picture: Data) throws -> Note {
        let id = UUID()
        try picture.write(to: directory.appendingPathComponent(id.uuidString), options: .atomic)
        return Note(text: text, imageID: id)
    }

    package func pictures(of notes: [Note]) throws -> [Data] {
        try notes.compactMap(\.imageID).map { id in
            try Data(contentsOf: directory.appendingPathComponent(id.uuidString))
        }
    }
}

/// Notes and the files of their pictures.
package struct Notebook {
    let files: ImageFileStore
    package let placeholder: Data

    package init(files: ImageFileStore, placeholder: Data) {
        self.files = files
        self.placeholder = placeholder
    }

    package func save(_ text: String, _ picture: Data) async throws(ImageFileError) -> Note {
        Note(text: text, imageID: try await files.save(picture))
    }

    package func illustrated(_ notes: [Note]) async throws -> [IllustratedRecord<Note>] {
        try await files.illustrate(notes, placeholder: placeholder) { $0.imageID }
    }

    package func picture(_ id: UUID, _ show: @escaping @Sendable (Data) -> Void) -> AnyCancellable {
        files.loadPublisher(id).replaceError(with: placeholder).sink(receiveValue: show)
    }
}
