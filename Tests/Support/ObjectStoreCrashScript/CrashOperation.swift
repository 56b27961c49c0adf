// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One change of a store that is acknowledged as a whole.
///
/// Versions are distinguished by their place among those of their name, the oldest first: a version that was not
/// acknowledged has no generation that any client received.
package enum CrashOperation: Hashable, Codable, Sendable {
    case put(CrashPlace, CrashRun)
    /// Deletes the live version.
    case delete(CrashPlace)
    /// Deletes one of the versions that are not softly deleted.
    case remove(CrashPlace, index: Int)
    case copy(CrashPlace, to: CrashPlace)
    case move(CrashPlace, to: CrashPlace)
    /// Composes live versions of the bucket.
    case compose(CrashPlace, of: [String])
    /// Restores one of the softly deleted versions.
    case restore(CrashPlace, index: Int)
    /// Begins a resumable upload.
    case begin
    case append(upload: String, CrashRun)
    case commit(upload: String, CrashPlace)
    case cancel(upload: String)
    case parts(CrashPartsOperation)
}
