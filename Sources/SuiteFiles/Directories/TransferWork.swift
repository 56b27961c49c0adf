// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reports of an import or export to the developer, who may stop it.
package struct TransferWork {
    /// Takes what is missing or left out.
    package var onWarning: (String) -> Void = { _ in }
    /// Called after things that are read or written, documents by the thousand; may throw to stop.
    package var onProgress: (ExportCounts) throws -> Void = { _ in }
    /// Takes the size of all files that an import reads, before the first; `nil` where that need not be known.
    package var onSize: ((Int64) -> Void)?
    /// Takes the size of each piece of a file that an import has read.
    package var onRead: (Int) -> Void = { _ in }

    /// Creates one that shows nothing.
    package init() {}
}
