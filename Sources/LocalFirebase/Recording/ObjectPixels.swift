// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import ObjectStore
import SessionLog

/// Reads the sizes of images that are objects from their first bytes.
struct ObjectPixels: Sendable {
    /// Enough for the headers of nearly all images; for the others, as many bytes as a header may have.
    private static let firstByteCount = 64 << 10

    private let store: SQLiteObjectStore

    init(of store: SQLiteObjectStore) { self.store = store }

    /// The size of an image; `nil` for other objects, and for one that has been replaced meanwhile.
    func pixels(of metadata: ObjectMetadata) -> SessionObject.Pixels? {
        // An object may be deleted before its line is written: then the line has no size.
        guard let reader = try? store.open(metadata.path, generation: metadata.generation) else { return nil }
        for byteCount in [Self.firstByteCount, ImageInspector.headerByteCountMax] {
            guard let bytes = try? beginning(of: reader, byteCount: byteCount) else { return nil }
            do throws(ImagingError) {
                let info = try ImageInspector.inspect(bytes)
                return SessionObject.Pixels(
                    width: info.pixelWidth,
                    height: info.pixelHeight,
                    orientation: info.orientation
                )
            } catch {
                guard bytes.count == byteCount else { return nil }
            }
        }
        return nil
    }

    private func beginning(of reader: ObjectReader, byteCount: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let free = UnsafeMutableRawBufferPointer(buffer)
            while count < byteCount {
                let read = try reader.read(
                    at: Int64(count),
                    into: UnsafeMutableRawBufferPointer(rebasing: free[count...])
                )
                guard read > 0 else { return }
                count += read
            }
        }
    }
}
