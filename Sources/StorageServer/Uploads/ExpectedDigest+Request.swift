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
            case "md5": try expect(md5: sides[1], from: "x-goog-hash")
            case "crc32c": try expect(crc32c: sides[1], from: "x-goog-hash")
            default: throw .invalid("x-goog-hash may name crc32c and md5 only.")
            }
        }
    }

    mutating func expect(md5 text: String?, from source: String) throws(StorageFailure) {
        guard let text else { return }
        guard let sum = Self.md5(base64: text) else { throw .invalid("\(source) must hold an MD5 in base64.") }
        guard md5 ?? sum == sum else { throw .contradictingSums }
        md5 = sum
    }

    mutating func expect(crc32c text: String?, from source: String) throws(StorageFailure) {
        guard let text else { return }
        guard let sum = Self.crc32c(base64: text) else { throw .invalid("\(source) must hold a CRC32C in base64.") }
        guard crc32c ?? sum == sum else { throw .contradictingSums }
        crc32c = sum
    }
}

extension StorageFailure {
    /// The description of the object and the header of a request name different sums: one of them must be wrong.
    fileprivate static let contradictingSums = invalid(
        "The checksums in the object's metadata and in x-goog-hash contradict each other."
    )
}
