// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The output of a writer: one line of JSON each.
package enum CrashLine: Hashable, Codable, Sendable {
    /// The operation starts: from here on it may have happened.
    case begun(CrashOperation)
    /// The import of this number starts.
    case begunImport(Int64)
    /// The operation is acknowledged; it has made an upload of this name, if any.
    case acknowledged(upload: String?)

    /// Reads a line; `nil` when it is none.
    package init?(_ text: some StringProtocol) {
        guard let line = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = line
    }

    /// The line with its end.
    package func encoded() throws -> Data {
        try JSONEncoder().encode(self) + [0x0A]
    }
}
