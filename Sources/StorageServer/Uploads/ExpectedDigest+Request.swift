// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore

extension ExpectedDigest {
    /// Adds the sums of the header field `x-goog-hash: crc32c=…,md5=…`, which may come twice.
    mutating func expect(_ call: StorageCall) throws(StorageFailure) {
        guard let header = call["x-goog-hash"] else { return }
        for sum in header.split(separator: ",") {
            let sides = sum.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { throw .invalid("x-goog-hash must be of the form crc32c=SUM,md5=SUM.") }
            switch sides[0] {
            case "md5": try expect(md5: sides[1])
            case "crc32c": try expect(crc32c: sides[1])
            default: throw .invalid("x-goog-hash may name crc32c and md5 only.")
            }
        }
    }

    mutating func expect(md5 text: String?) throws(StorageFailure) {
        guard let text else { return }
        guard let sum = Self.md5(base64: text) else { throw .noMD5(text) }
        guard md5 ?? sum == sum else { throw .contradictingSums }
        md5 = sum
    }

    mutating func expect(crc32c text: String?) throws(StorageFailure) {
        guard let text else { return }
        guard let sum = Self.crc32c(base64: text) else { throw .noCRC32C }
        guard crc32c ?? sum == sum else { throw .contradictingSums }
        crc32c = sum
    }
}

extension StorageFailure {
    /// Both texts as recorded from production in 2026.
    fileprivate static func noMD5(_ text: String) -> Self {
        invalid("Provided value (\(text)) is not a base64-encoded 128-bit MD5 hash.")
    }

    fileprivate static let noCRC32C = invalid("Invalid argument.")

    /// The description of the object and the header of a request name different sums: one of them must be wrong.
    fileprivate static let contradictingSums = invalid(
        "The checksums in the object's metadata and in x-goog-hash contradict each other."
    )
}
