// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension PostPolicy {
    /// The fields of a form that no condition need name: what proves the policy, and the file.
    private static let exempt: Set<String> = [
        "file", "policy", "x-goog-signature", "signature", "googleaccessid",
    ]

    /// Throws unless the policy allows a form that is sent to a bucket, `now` being in seconds since the Unix epoch.
    ///
    /// The key is the name of the object, with the name of the file put in.
    func judge(_ fields: FormFields, bucket: String, key: String, now: Int64) throws(Failure) {
        guard now <= expiration else { throw .expired }
        for condition in conditions {
            switch condition {
            case .byteCount: continue
            case .equals(let field, let value):
                guard Self.values(of: field, fields: fields, bucket: bucket, key: key).contains(value) else {
                    throw .unmet(field: field)
                }
            case .startsWith(let field, let prefix):
                let isMet = Self.values(of: field, fields: fields, bucket: bucket, key: key).contains {
                    $0.utf8.starts(with: prefix.utf8)
                }
                guard isMet else { throw .unmet(field: field) }
            }
        }
        try requireReferences(to: fields)
    }

    /// The bucket that the policy is about; `nil` when no condition names one.
    var bucket: String? {
        conditions.lazy.compactMap { condition in
            if case .equals("bucket", let name) = condition { name } else { nil }
        }.first
    }

    /// How many bytes the file may have.
    var byteCounts: ClosedRange<Int64> {
        conditions.reduce(0...Int64.max) { range, condition in
            guard case .byteCount(let requested) = condition else { return range }
            let least = max(range.lowerBound, requested.lowerBound)
            // Two ranges that exclude each other allow nothing that is not empty by both; the larger minimum decides.
            return least...max(least, min(range.upperBound, requested.upperBound))
        }
    }

    /// The value that a condition on a field is compared with.
    private static func values(of field: String, fields: FormFields, bucket: String, key: String) -> [String] {
        switch field {
        case "bucket": [bucket]
        // A policy may repeat the form's `${filename}` or know the file's name.
        case "key": [key, fields["key"] ?? key]
        default: fields[field].map { [$0] } ?? []
        }
    }

    private func requireReferences(to fields: FormFields) throws(Failure) {
        let named = Set(
            conditions.compactMap { condition -> String? in
                switch condition {
                case .equals(let field, _), .startsWith(let field, _): field
                case .byteCount: nil
                }
            }
        )
        let missing = fields.names.filter { name in
            !named.contains(name) && !Self.exempt.contains(name) && !name.hasPrefix("x-ignore-")
        }
        guard missing.isEmpty else { throw .unreferenced(missing) }
    }
}

extension XMLFailure {
    /// Production's one answer to all of them; its details are quoted in public issues where they are known.
    init(_ failure: PostPolicy.Failure) {
        self.init(
            400,
            code: "InvalidPolicyDocument",
            message: "The content of the form does not meet the conditions specified in the policy document.",
            details: failure.details
        )
    }
}

extension PostPolicy.Failure {
    fileprivate var details: String {
        switch self {
        case .notBase64: "The policy is not base64."
        case .tooLong: "The policy may have at most \(PostPolicy.byteCountMax) bytes."
        case .notJSON: "The policy is not a JSON object."
        case .noExpiration: "The policy needs an expiration of the form YYYY-MM-DDTHH:MM:SSZ."
        case .noConditions: "The policy needs a list of at most \(PostPolicy.conditionCountMax) conditions."
        case .conditionUnknown(let index): "Condition \(index) of the policy is of no known form."
        case .expired: "The policy has expired."
        case .unmet(let field): "Failed condition on the field: \(field)"
        case .unreferenced(let fields): "Policy did not reference these fields: \(fields.joined(separator: ", "))"
        }
    }
}
