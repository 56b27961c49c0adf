// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import ObjectStoreCrashScript
import SeededRandom

extension CrashScript {
    private static let partedUploadCountMax = 3
    /// Few, so that parts are often replaced.
    private static let partNumbers = 1...4

    /// Draws a step of a multipart upload, of one that an earlier writer began too.
    mutating func drawParts(_ place: CrashPlace) throws -> CrashPartsOperation {
        let choice = random.integer(in: 0...11)
        if partedUploads.isEmpty || (choice < 2 && partedUploads.count < Self.partedUploadCountMax) {
            return .begin(place)
        }
        let index = random.integer(in: 0...partedUploads.count - 1)
        let upload = partedUploads[index]
        let numbers = choice < 8 ? [] : try drawNumbers(of: upload)
        switch choice {
        case 8...10 where !numbers.isEmpty: return .complete(partedUploads.remove(at: index), of: numbers)
        case 11: return .abort(partedUploads.remove(at: index))
        default: return .put(number: random.integer(in: Self.partNumbers), upload, drawRun())
        }
    }

    /// Most of the parts that are there, in their order.
    private mutating func drawNumbers(of upload: CrashPartedUpload) throws -> [Int] {
        try store.parts(of: upload.id, at: upload.place.path).map(\.number).filter { _ in
            random.integer(in: 0...4) > 0
        }
    }
}
