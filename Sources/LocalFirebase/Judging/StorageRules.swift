// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SecurityRules
import StorageServer

/// Has the rules of Storage's buckets replaced while the emulator serves, as the official emulator does.
///
/// Source: firebase-tools 15.28.1, `src/emulator/storage/server.ts`, `PUT /internal/setRules`.
struct StorageRules: StorageRulesEndpoint {
    static let service = "firebase.storage"

    let judge: StorageRulesJudge
    let current: CurrentStorageJudge
    /// The demands on tokens, where there are any.
    let tokens: StorageTokenJudge?

    /// Puts a judge in force, or none.
    init(judge: StorageRulesJudge, inForce other: (any StorageJudge)?, tokens: StorageTokenJudge?) {
        (self.judge, self.tokens) = (judge, tokens)
        current = CurrentStorageJudge(tokens?.before(other) ?? other)
    }

    func put(_ files: [JSONValue]) -> StorageRulesAnswer {
        var rules: [String: CompiledRules] = [:]
        var issues: [String] = []
        for file in files {
            guard let content = file["content"]?.string, let name = file["name"]?.string else {
                return .refused("Each member of 'rules.files' array must contain 'name' and 'content'")
            }
            let bucket = file["resource"]?.string
            guard files.count == 1 || bucket != nil else {
                return .refused("Each member of 'rules.files' array must contain 'name', 'content', and 'resource'")
            }
            do {
                rules[files.count == 1 ? "" : bucket ?? ""] = try CompiledRules(content, service: Self.service)
            } catch {
                issues += error.issues.map { "\(name):\($0)" }
            }
        }
        guard issues.isEmpty else {
            return .refused("There was an error updating rules, see logs for more details", issues)
        }
        replace(files.count == 1 ? .same(rules[""]) : .ofBuckets(rules))
        return .updated
    }

    /// Puts the rules of one bucket in force, where buckets have rules of their own.
    func replace(_ rules: CompiledRules, of bucket: String) {
        judge.replace(rules, of: bucket)
        current.replace(with: tokens?.before(judge) ?? judge)
    }

    /// Puts rules in force.
    func replace(_ rules: StorageRulesJudge.Rules) {
        judge.replace(rules)
        current.replace(with: tokens?.before(judge) ?? judge)
    }
}
