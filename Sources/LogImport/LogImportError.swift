// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a third-party log cannot be read.
package struct LogImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path.
    package let path: String
    /// The line or the entry that is wrong, from 1; `nil` where it is the whole file.
    package let line: Int?
    /// The problem.
    package let problem: String

    package var description: String { path + (line.map { ", line \($0)" } ?? "") + ": \(problem)" }
}
