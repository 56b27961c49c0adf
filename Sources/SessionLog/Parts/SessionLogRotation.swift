// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// When a session log continues in another file, and what becomes of the former one.
///
/// A full file is set aside as `session.log.1.gz`, then `session.log.2.gz`, and so on: the higher the number,
/// the later. A reader of `session.log` reads these first.
package struct SessionLogRotation: Sendable, Hashable {
    /// A file with this many bytes is set aside.
    package var byteCountMax: Int64
    /// The number of files set aside that are kept, the latest; `nil` keeps all.
    package var keptCountMax: Int?

    /// Creates a rotation.
    package init(byteCountMax: Int64, keptCountMax: Int? = nil) {
        self.byteCountMax = byteCountMax
        self.keptCountMax = keptCountMax
    }
}
