// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

@testable import StorageServer

extension FuzzedParser {
    /// A form that is made as a policy requires is allowed, as long as the policy is good.
    static func checkPolicy(_ bytes: [UInt8]) throws {
        guard let policy = try? PostPolicy(json: bytes) else { return }
        try promise("sizes are not negative", policy.byteCounts.lowerBound >= 0)
        var (fields, names) = (FormFields(), [String]())
        for condition in policy.conditions {
            switch condition {
            case .equals(let field, let value):
                names.append(field)
                fields.set(field, to: value)
            case .startsWith(let field, let prefix):
                names.append(field)
                fields.set(field, to: "\(prefix)a")
            case .byteCount: continue
            }
        }
        // Two requirements on one field may contradict each other.
        guard Set(names).count == names.count else { return }
        let (bucket, key) = (fields["bucket"] ?? "", fields["key"] ?? "")
        let isAllowed = (try? policy.judge(fields, bucket: bucket, key: key, now: policy.expiration)) != nil
        try promise("what a policy demands is allowed", isAllowed)
        let late = policy.expiration + 1
        try promise("policies expire", (try? policy.judge(fields, bucket: bucket, key: key, now: late)) == nil)
    }

    /// A selection on the first line keeps a part of the JSON behind it.
    static func checkFields(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let selector = try? FieldSelector(String(decoding: lines.first ?? [], as: UTF8.self))
        guard let selector, lines.count == 2, let value = try? JSONValue(parsing: Array(lines[1])) else { return }
        try promise("JSON comes back", try JSONValue(parsing: value.encoded) == value)
        let kept = JSONText(value).selecting(selector).rendered()
        try promise("nothing is made up", try JSONValue(parsing: Array(kept.utf8)).isPart(of: value))
    }
}

extension JSONValue {
    /// Whether this is what some members and elements of a value are.
    fileprivate func isPart(of whole: JSONValue) -> Bool {
        switch (self, whole) {
        case (.object(let own), .object(let all)):
            return own.allSatisfy { key, value in all[key].map(value.isPart) ?? false }
        case (.array(let own), .array(let all)):
            var rest = all[...]
            return own.allSatisfy { element in
                rest = rest.drop { !element.isPart(of: $0) }
                return rest.popFirst() != nil
            }
        default: return self == whole
        }
    }
}
