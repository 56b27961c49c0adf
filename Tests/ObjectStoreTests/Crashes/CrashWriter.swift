// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStoreCrashScript

/// The writing process, from its start to its violent end.
struct CrashWriter {
    /// The operation that a kill is to meet.
    enum Aim {
        /// Whatever comes next.
        case anything
        /// The making of an object of parts, which chance alone hardly ever meets.
        case completion

        fileprivate func isMet(by line: CrashLine?) -> Bool {
            switch (self, line) {
            case (.anything, .acknowledged?), (.completion, .begun(.parts(.complete))?): true
            default: false
            }
        }
    }

    private let process = Process()
    private let output = Pipe()

    private let pause: Pause

    /// Starts a writer that resumes multipart uploads.
    init(directory: String, seed: UInt64, time: Int64, partedUploads: [CrashPartedUpload]) throws {
        let uploads = String(decoding: try JSONEncoder().encode(partedUploads), as: UTF8.self)
        try self.init(directory: directory, seed: seed, time: time, uploads)
    }

    /// Starts a writer that imports sets of objects, the first of which is numbered by the seed.
    init(importingInto directory: String, seed: UInt64, time: Int64) throws {
        try self.init(directory: directory, seed: seed, time: time, "import")
    }

    private init(directory: String, seed: UInt64, time: Int64, _ work: String) throws {
        pause = Pause(seed: seed)
        process.executableURL = Self.executable
        process.arguments = [directory, String(seed), String(time), work]
        process.standardOutput = output
        try process.run()
    }

    /// Hands on the lines printed, those after the kill too; kills the process some time after a number of
    /// acknowledgements, when what is aimed at begins.
    ///
    /// - Returns: the number of acknowledgements in all; fewer than wanted when the process ended by itself.
    func run(
        until acknowledgementCount: Int,
        aimingAt aim: Aim = .anything,
        _ take: (Substring) throws -> Void
    ) throws -> Int {
        defer { end() }
        var reader = LineReader(handle: output.fileHandleForReading)
        var count = 0
        if acknowledgementCount == 0 { end() }
        while let line = reader.next() {
            try take(line)
            let line = CrashLine(line)
            if case .acknowledged? = line { count += 1 }
            guard process.isRunning, count >= acknowledgementCount, aim.isMet(by: line) else { continue }
            pause.run()
            end()
        }
        return count
    }

    private func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
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

/// A while within which an operation is begun, and sometimes ended: kills would else all find it at its beginning.
private struct Pause {
    private static let microsecondsMax: UInt64 = 6_000

    private let microseconds: UInt64

    init(seed: UInt64) {
        // Fibonacci hashing spreads the seeds, which are successive.
        microseconds = (seed &* 0x9E37_79B9_7F4A_7C15) >> 32 % Self.microsecondsMax
    }

    func run() {
        usleep(UInt32(microseconds))
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
