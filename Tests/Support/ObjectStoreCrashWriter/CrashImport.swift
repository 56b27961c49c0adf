// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import ObjectStoreCrashScript

/// Imports of the same eight names over and over, every object of an import filled with its number.
enum CrashImport {
    private static let nameCount = 8
    private static let byteCount = 20_000

    static func runForever(on store: SQLiteObjectStore, round first: UInt64) throws -> Never {
        var round = first
        while true {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: byteCount)
            try say(.begunImport(Int64(round)))
            try store.importing { target in
                for number in 0..<nameCount {
                    guard let path = ObjectPath(bucket: "bkt", name: "\(number)") else {
                        preconditionFailure("a digit is a name")
                    }
                    var object = ImportedObject(path: path)
                    object.generation = Int64(round)
                    _ = try target.store(object) { take in try bytes.withUnsafeBytes(take) }
                }
            }
            try say(.acknowledged(upload: nil))
            round += 1
        }
    }
}
