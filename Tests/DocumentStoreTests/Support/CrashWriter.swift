// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples
import Foundation

/// The writing process's output before its end.
struct CrashModel: Sendable {
    static let database = DatabaseID(project: "crash")

    /// For each thread the numbers its last commit may have: the last acknowledged, and the one that had begun.
    private(set) var threads: [Int: ClosedRange<Int64>] = [:]
    private(set) var acknowledgementCount = 0

    var database: DatabaseID { Self.database }

    mutating func note(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, let thread = Int(words[1]), let number = Int64(words[2]) else { return }
        if words[0] == "end" {
            acknowledgementCount += 1
            threads[thread] = number...number
        } else {
            threads[thread] = number - 1...number
        }
    }
}

/// The writing process, from its start to its violent end.
struct CrashWriter {
    private let process = Process()
    private let output = Pipe()

    init(file: URL) throws {
        process.executableURL = Self.executable
        process.arguments = [file.path]
        process.standardOutput = output
        try process.run()
    }

    /// Kills the process after a number of acknowledgements, and takes note of all it said.
    func run(until wantedCount: Int) -> CrashModel {
        var model = CrashModel()
        var rest = Data()
        if wantedCount == 0 { kill(process.processIdentifier, SIGKILL) }
        while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
            rest += data
            guard let end = rest.lastIndex(of: 0x0A) else { continue }
            let before = model.acknowledgementCount
            for line in String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n") {
                model.note(line)
            }
            rest = Data(rest[(end + 1)...])
            if before < wantedCount, model.acknowledgementCount >= wantedCount {
                kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        return model
    }

    // SwiftPM builds executables beside the test bundle.
    private static var executable: URL {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        #else
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return bundle.deletingLastPathComponent().appendingPathComponent("DocumentStoreCrashWriter")
    }
}
