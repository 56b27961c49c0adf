// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Lines of views behind keys of one length: in the order of their bytes, views are as one process writes them.
package enum KeyedViews {
    /// The digits of group, time, user and number, all in base 16.
    private static let digitCounts = [2, 12, 8, 8]
    /// The bytes of a key, with the blank behind it.
    package static let keyByteCount = digitCounts.reduce(0, +) + 1

    /// The lines of a user's views, with line breaks.
    static func lines(of views: InferredViews, groupCount: Int) throws(SessionLogError) -> [UInt8] {
        var lines: [UInt8] = []
        for (number, view) in views.views.enumerated() {
            let parts = [Int64(Int(views.user) % groupCount), view.atMilliseconds, Int64(views.user), Int64(number)]
            for (part, digitCount) in zip(parts, digitCounts) { append(part, digitCount: digitCount, to: &lines) }
            lines.append(0x20)
            lines += try SessionLines([.view(view)]).bytes
            lines.append(0x0A)
        }
        return lines
    }

    /// Hands out the lines of files that follow each other, without their keys, some thousand at a time; returns how many they are.
    package static func forEach(at paths: [String], _ body: (SessionLines) throws -> Void) throws -> Int64 {
        var count: Int64 = 0
        var last: [UInt8] = []
        for path in paths {
            var lineNumber = 0
            try LineBlocks(openDecompressed(path), named: path).read { block in
                var lines: [UInt8] = []
                lines.reserveCapacity(block.count)
                for line in block.split(separator: 0x0A) {
                    lineNumber += 1
                    let key = line.prefix(keyByteCount)
                    guard key.count == keyByteCount, last.lexicographicallyPrecedes(key) else {
                        let problem = "is not what 'firemeter audit import-part view' wrote, sorted by its bytes"
                        throw LogImportError(path: path, line: lineNumber, problem: problem)
                    }
                    last.replaceSubrange(last.indices, with: key)
                    if !lines.isEmpty { lines.append(0x0A) }
                    lines += line.dropFirst(keyByteCount)
                }
                count += Int64(lines.isEmpty ? 0 : lines.count(where: { $0 == 0x0A }) + 1)
                try body(SessionLines(bytes: lines))
            }
        }
        return count
    }

    private static func append(_ number: Int64, digitCount: Int, to line: inout [UInt8]) {
        for digit in (0..<digitCount).reversed() {
            let value = UInt8(truncatingIfNeeded: number >> Int64(4 * digit)) & 0xF
            line.append(value < 10 ? 0x30 + value : 0x57 + value)
        }
    }
}
