// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a profile cannot be used.
public struct ProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line of the file, counted from 1; `nil` for what is wrong with no single file.
    public let line: Int?
    /// The problem, and how it may be remedied.
    public let message: String

    /// The line, if any, and the message.
    public var description: String { (line.map { "line \($0): " } ?? "") + message }
}
