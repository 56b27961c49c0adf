// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Foundation
package import SecurityRules
import ServiceLifecycle

/// The rules that projects or buckets have unless they are given others, in a file.
struct RulesFile: Sendable {
    let path: String
    /// The service whose rules are looked for.
    let service: String

    /// Reads and compiles the file.
    ///
    /// - Throws: `EmulatorError` with all issues of the file.
    func compiled() throws(EmulatorError) -> CompiledRules {
        let source: String
        do {
            source = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        } catch {
            throw .badRules(path, because: "\(error.localizedDescription)")
        }
        do {
            return try CompiledRules(source, service: service)
        } catch {
            throw .badRules(path, because: "\n" + lines(error.issues).joined(separator: "\n"))
        }
    }

    /// Issues as compilers print them, such as `firestore.rules:3:5 - ERROR Unexpected '}'.` for one.
    func lines(_ issues: [RulesIssue]) -> [String] {
        issues.map { issue in
            let place = issue.position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(path)\(place) - \(issue.severity.rawValue) \(issue.text)"
        }
    }

    /// When the file was last changed; `nil` where it is missing.
    fileprivate var changed: Date? {
        try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}

/// Puts the rules of a file in force whenever the file changes; rules that do not compile leave the former in force.
struct RulesFileWatch: Service {
    /// How often it looks.
    private static let interval = Duration.milliseconds(200)

    let file: RulesFile
    /// Puts rules in force.
    let replace: @Sendable (CompiledRules) -> Void
    /// Takes a line for the developer.
    let onChange: @Sendable (String) -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last = file.changed
            // A cancelled sleep throws, and that is the way out.
            while (try? await ContinuousClock().sleep(for: Self.interval)) != nil {
                guard let changed = file.changed, changed != last else { continue }
                last = changed
                reload()
            }
        }
    }

    /// Reads the file again.
    func reload() {
        do {
            let compiled = try file.compiled()
            replace(compiled)
            onChange((file.lines(compiled.warnings) + ["\(file.path): new rules are in force"]).joined(separator: "\n"))
        } catch {
            onChange("\(error.description)\nThe former rules stay in force.")
        }
    }
}

extension EmulatorConfiguration {
    var rulesFile: RulesFile? { rulesPath.map { RulesFile(path: $0, service: FirestoreRules.service) } }
    var rulesFilesOfDatabases: [String: RulesFile?] {
        rulesPathsOfDatabases.mapValues { path in path.map { RulesFile(path: $0, service: FirestoreRules.service) } }
    }
    var storageRulesFile: RulesFile? { storageRulesPath.map { RulesFile(path: $0, service: StorageRules.service) } }
    var rulesFilesOfBuckets: [String: RulesFile]? {
        rulesPathsOfBuckets?.mapValues { RulesFile(path: $0, service: StorageRules.service) }
    }
}

/// A file of rules that compiles, of whichever service it has rules for.
package struct CheckedRules {
    package let rules: CompiledRules
    /// Whether the rules are those of Storage: a file without any of Firestore has no others.
    package let areOfStorage: Bool
    /// Doubts about the file, as lines.
    package let warnings: [String]

    /// Compiles a file.
    ///
    /// - Throws: `EmulatorError` with all issues of the file.
    package init(file path: String) throws(EmulatorError) {
        let file = RulesFile(path: path, service: FirestoreRules.service)
        let documents = try file.compiled()
        let objects =
            documents.usage.isEmpty ? try RulesFile(path: path, service: StorageRules.service).compiled() : nil
        areOfStorage = objects?.usage.isEmpty == false
        rules = objects ?? documents
        warnings = file.lines(documents.warnings)
    }
}
