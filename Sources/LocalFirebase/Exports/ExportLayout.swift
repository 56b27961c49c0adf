// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The names in an export of the official Firebase emulators.
///
///     firebase-export-metadata.json       what is here: storage, firestore, auth …
///     storage_export/buckets.json         the names of the buckets
///     storage_export/metadata/<n>.json    what is known of an object
///     storage_export/blobs/<n>            its bytes
///
/// `<n>` is `bucket/object` until firebase-tools 10.4.1, `bucket%2Fobject` from 10.4.2 on (`%5C` where Windows wrote it),
/// and a UUID from 11.3.0 on; all that a reader relies on is that both files have it. Source: firebase-tools 15.28.1,
/// `src/emulator/storage/files.ts` and `hubExport.ts`.
enum ExportLayout {
    static let manifest = "firebase-export-metadata.json"
    static let storage = "storage_export"
    static let buckets = "buckets.json"
    static let metadata = "metadata"
    static let blobs = "blobs"
    static let metadataExtension = ".json"

    /// The version of the official emulators that began to write the layout in which exports are written here.
    static let version = "11.3.0"
}
