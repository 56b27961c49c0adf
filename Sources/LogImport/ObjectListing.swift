// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// The sizes of a bucket's objects, as `gcloud storage ls --long` and `gsutil ls -l` list them: `  4096  TIME  gs://b/o`.
package struct ObjectListing: Sendable {
    private var byteCounts: [String: Int64] = [:]

    /// Reads a listing; lines of other forms, such as its total, are passed over.
    ///
    /// - Throws: ``LogImportError`` for a file that cannot be read, or lists no object.
    package init(_ path: String) throws {
        try LineBlocks(openDecompressed(path), named: path).read { block in
            for line in block.split(separator: UInt8(ascii: "\n")) { take(String(decoding: line, as: UTF8.self)) }
        }
        guard !byteCounts.isEmpty else {
            let problem = "lists no object; expected lines such as '4096  2026-11-20T09:00:00Z  gs://bucket/name'"
            throw LogImportError(path: path, line: nil, problem: problem)
        }
    }

    /// The size of an object; `nil` for one that is not listed.
    func byteCount(of object: String, in bucket: String) -> Int64? { byteCounts["\(bucket)/\(object)"] }

    private mutating func take(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3, let byteCount = Int64(parts[0]), byteCount >= 0,
            let scheme = parts[2].range(of: "gs://")
        else { return }
        var name = parts[2][scheme.upperBound...]
        // Versioned listings put the generation behind the name, and more behind that.
        if let generation = name.lastIndex(of: "#") { name = name[..<generation] }
        while name.last == "\r" || name.last == " " { name.removeLast() }
        byteCounts[String(name)] = min(byteCount, SessionImage.byteCountMax)
    }
}
