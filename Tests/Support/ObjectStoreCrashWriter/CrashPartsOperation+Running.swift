// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import ObjectStoreCrashScript

extension CrashPartsOperation {
    /// Carries the step out; returns the name of the upload it begins, if any.
    func run(on store: SQLiteObjectStore) throws -> String? {
        switch self {
        case .begin(let place):
            return try store.beginParts(of: place.path, attributes: ObjectAttributes(), customerKeyHash: nil)
        case .put(let number, let upload, let run):
            let part = try store.beginPart(number, of: upload.id, at: upload.place.path, customerKeyHash: nil)
            try run.forEachPiece { try part.append($0) }
            _ = try part.keep(expected: .anything)
        case .complete(let upload, let numbers):
            let parts = try upload.named(numbers, in: store)
            _ = try store.completeParts(parts, of: upload.id, at: upload.place.path)
        case .abort(let upload): try store.abortParts(of: upload.id, at: upload.place.path)
        }
        return nil
    }
}

extension CrashPartedUpload {
    /// The parts of these numbers, as a client that lists them knows them.
    fileprivate func named(_ numbers: [Int], in store: SQLiteObjectStore) throws -> [NamedPart] {
        try store.parts(of: id, at: place.path).filter { numbers.contains($0.number) }.map { part in
            NamedPart(number: part.number, entityTag: part.digest.md5Hex ?? "")
        }
    }
}
