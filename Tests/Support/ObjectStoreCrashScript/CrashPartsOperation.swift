// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A multipart upload of the XML API that was begun.
package struct CrashPartedUpload: Hashable, Codable, Sendable {
    /// The name that the store gave it.
    package var id: String
    /// Where its object is to be.
    package var place: CrashPlace

    /// Names an upload.
    package init(id: String, place: CrashPlace) {
        self.id = id
        self.place = place
    }
}

/// A step of a multipart upload that is acknowledged as a whole.
package enum CrashPartsOperation: Hashable, Codable, Sendable {
    case begin(CrashPlace)
    /// Puts a part, in place of the one of its number if there is one.
    case put(number: Int, CrashPartedUpload, CrashRun)
    /// Makes an object of the parts of these numbers; the others go.
    case complete(CrashPartedUpload, of: [Int])
    case abort(CrashPartedUpload)
}
