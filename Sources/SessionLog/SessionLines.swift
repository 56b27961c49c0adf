// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Lines of a session log as they are written, between line breaks.
package struct SessionLines: Sendable {
    /// The lines, with a line break between two.
    package let bytes: [UInt8]

    /// Takes over lines that were written before.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Writes a line for each entry.
    package init(_ entries: [SessionEntry]) throws(SessionLogError) {
        let lines = entries.map { $0.encoded() }
        guard lines.allSatisfy({ $0.count <= SessionLog.lineByteCountMax }) else { throw .lineTooLong(lineNumber: nil) }
        bytes = Array(lines.joined(separator: [0x0A]))
    }
}
