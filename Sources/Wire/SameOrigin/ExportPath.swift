// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The directory that a request names for an export.
package enum ExportPath {
    /// Returns why an export cannot be written there; `nil` for a path that can be tried.
    package static func fault(in path: String) -> String? {
        // A client's working directory is not the server's, so `firebase emulators:export` sends an absolute path, too.
        guard path.hasPrefix("/") else { return "The 'path' must be absolute." }
        // The system's calls would take the path to end there, and write elsewhere.
        return path.utf8.contains(0) ? "The 'path' holds a NUL character; remove it." : nil
    }
}
