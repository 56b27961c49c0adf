// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension SuitePlanner {
    /// The rules of Storage's buckets.
    ///
    /// An entry may name its bucket, as the schema of `firebase.json` has it; firebase-tools takes targets alone. Source:
    /// firebase-tools 15.28.1, `src/emulator/storage/rules/config.ts`.
    mutating func storageRules() throws(SuiteConfigurationError) -> StorageRulesPlan {
        guard let section = configuration.section("storage") else {
            guard project.isDemo else { throw .noStorageRules }
            return openStorage()
        }
        guard let entries = section.array else {
            guard let rules = section["rules"], rules.isTruthy else { throw .noStorageRules }
            return .everywhere(rules: try storageRulesFile(rules, "storage.rules"))
        }
        var buckets: [StorageRulesPlan.Bucket] = []
        for (position, entry) in entries.enumerated() {
            guard let names = try bucketNames(entry) else {
                return openStorage(" Storage targets in firebase.json will be ignored.")
            }
            let rules = try storageRulesFile(entry["rules"], "storage[\(position)].rules")
            buckets.removeAll { names.contains($0.name) }
            buckets += names.map { StorageRulesPlan.Bucket(name: $0, rules: rules) }
        }
        return .ofBuckets(buckets)
    }

    /// The buckets of an entry; `nil` for a target that a demo project does not know.
    private func bucketNames(_ entry: JSONValue) throws(SuiteConfigurationError) -> [String]? {
        guard let target = entry["target"]?.text else {
            guard let bucket = entry["bucket"]?.text else {
                throw .badFile("Must supply 'target' in Storage configuration")
            }
            return [bucket]
        }
        let names = resources.target(target, of: .storage, in: project.id)
        if !names.isEmpty { return names }
        if let bucket = entry["bucket"]?.text { return [bucket] }
        return project.isDemo ? nil : try resources.requiredTarget(target, of: .storage, in: project.id)
    }

    private func storageRulesFile(_ value: JSONValue?, _ place: String) throws(SuiteConfigurationError) -> String {
        guard let name = value?.text else { throw .badMember(place, "must be the path of a file") }
        let path = try ProjectPath.file(name, in: configuration.directory)
        guard ProjectPath.isFile(path) else { throw .badFile("File not found: \(path)") }
        return path
    }

    private mutating func openStorage(_ addition: String = "") -> StorageRulesPlan {
        notices.append(
            .information(
                "Detected demo project ID \"\(project.id)\", using a default (open) rules configuration.\(addition)",
                about: .storage
            )
        )
        return .open
    }
}

extension SuiteConfigurationError {
    fileprivate static let noStorageRules = badFile(
        "Cannot start the Storage emulator without rules file specified in firebase.json: run 'firebase init' and set up "
            + "your Storage configuration"
    )
}
