// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The writing process, from its start to its violent end.
struct CrashWriter {
    private let process = Process()
    private let output = Pipe()

    init(directory: String, seed: UInt64, mode: String? = nil) throws {
        process.executableURL = Self.executable
        process.arguments = [directory, String(seed)] + [mode].compactMap { $0 }
        process.standardOutput = output
        try process.run()
    }

    /// Hands on the lines printed, those after the kill too; kills the process after so many acknowledgements.
    ///
    /// - Returns: the number of acknowledgements in all; fewer than wanted when the process ended by itself.
    func run(until acknowledgementCount: Int, _ take: (Substring) -> Void) -> Int {
        var reader = LineReader(handle: output.fileHandleForReading)
        var count = 0
        if acknowledgementCount == 0 { kill(process.processIdentifier, SIGKILL) }
        while let line = reader.next() {
            take(line)
            guard line == "end" else { continue }
            count += 1
            if count == acknowledgementCount { kill(process.processIdentifier, SIGKILL) }
        }
        process.waitUntilExit()
        return count
    }

    // SwiftPM builds executables beside the test bundle.
    private static var executable: URL {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        #else
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return bundle.deletingLastPathComponent().appendingPathComponent("ObjectStoreCrashWriter")
    }
}

/// Splits a pipe into whole lines; a line the writer did not finish is dropped.
private struct LineReader {
    let handle: FileHandle
    private var buffer = Data()
    private var lines: ArraySlice<Substring> = []

    init(handle: FileHandle) {
        self.handle = handle
    }

    mutating func next() -> Substring? {
        while lines.isEmpty {
            let data = handle.availableData
            guard !data.isEmpty else { return nil }
            buffer += data
            guard let end = buffer.lastIndex(of: 0x0A) else { continue }
            lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\n")[...]
            buffer = Data(buffer[(end + 1)...])
        }
        return lines.popFirst()
    }
}
