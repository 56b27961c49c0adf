// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
package import JSON
import ObjectStore
package import SecurityRules
import StorageServer
import Wire

/// One request to Storage, judged by rules of a file over objects and documents that are given.
package struct StorageRulesTrial {
    /// An object as it is; `nil` where there is none of the name.
    typealias Lookup = (ObjectPath) throws -> ObjectMetadata?

    private let rules: CompiledRules
    private let bucket: String
    private let objects: [String: JSONValue]
    private let lookup: Lookup?
    private let documents: TrialDocuments
    private let time = SystemClock.microseconds()

    /// Prepares trials.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - objects: The objects that there are: an object of names with what each has, such as
    ///     `{"contentType": "image/png", "size": 300}`.
    ///   - documents: The documents that `firestore.get` finds: an object of paths with objects of fields.
    /// - Throws: `EmulatorError` for a document that cannot be.
    package init(_ rules: CompiledRules, objects: JSONValue, documents: JSONValue) throws(EmulatorError) {
        (self.rules, self.objects, lookup) = (rules, objects.members, nil)
        bucket = "\(TrialDocuments.database.project).appspot.com"
        self.documents = try TrialDocuments(documents)
    }

    /// Prepares trials over the objects of a bucket and the documents of a store, in which nothing is changed.
    init(_ rules: CompiledRules, of bucket: String, documents: TrialDocuments, lookup: @escaping Lookup) {
        (self.rules, self.bucket, self.documents, self.lookup) = (rules, bucket, documents, lookup)
        objects = [:]
    }

    /// Judges an access.
    ///
    /// - Parameters:
    ///   - access: The access.
    ///   - claims: The claims of the caller's token, with `user_id` for the user; `nil` for a caller without one.
    /// - Returns: The verdict.
    /// - Throws: `EmulatorError` for an object that cannot be.
    package func outcome(
        of access: RulesTrial.Access,
        by claims: JSONValue?
    ) throws(EmulatorError) -> RulesTrial.Outcome {
        let access = try storageAccess(access)
        do {
            let judge = StorageRulesJudge(
                .same(rules),
                documents: documents.store,
                now: { [time] in time },
                onDebug: { _ in }
            )
            var judgement = Judgement()
            let verdict = try judge.verdict(on: access, by: Caller(claims: claims), noting: &judgement)
            let refusal =
                switch verdict {
                case .allowed: String?.none
                case .denied(let refusal): refusal
                case .failed: FirestoreError.failingRules.message
                }
            return RulesTrial.Outcome(refusal: refusal, of: rules, ruleReads: judgement.ruleReads)
        } catch {
            throw .badTrial(error)
        }
    }

    private func storageAccess(_ access: RulesTrial.Access) throws(EmulatorError) -> StorageAccess {
        switch access {
        case .get(let name): return .get(try path(name), try known(name))
        case .list(let prefix, _):
            guard let bucket = BucketName(bucket) else { throw .badObject(prefix, "is in no bucket") }
            return .list(bucket, prefix: prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/")
        case .create(let name, let members): return .create(try object(name, members), replacing: try known(name))
        case .update(let name, let members):
            guard let former = try known(name) else {
                throw .badObject(name, lookup == nil ? "is not among --objects" : "is not there")
            }
            return .update(former, to: try object(name, members, changing: former))
        case .delete(let name): return .delete(try path(name), try known(name))
        }
    }

    /// The object of a name; `nil` where there is none.
    private func known(_ name: String) throws(EmulatorError) -> ObjectMetadata? {
        if let lookup {
            let path = try path(name)
            do { return try lookup(path) } catch { throw .badTrial(error) }
        }
        guard let members = objects[name] else { return nil }
        return try object(name, members)
    }

    private func path(_ name: String) throws(EmulatorError) -> ObjectPath {
        guard let path = ObjectPath(bucket: bucket, name: name) else { throw .badObject(name, "is not a name") }
        return path
    }

    /// An object with the members, and else with those of the former one.
    private func object(
        _ name: String,
        _ members: JSONValue,
        changing former: ObjectMetadata? = nil
    ) throws(EmulatorError) -> ObjectMetadata {
        var attributes = former?.attributes ?? ObjectAttributes()
        var byteCount = former?.byteCount ?? 0
        for (key, value) in members.members {
            switch (key, value) {
            case ("size", .integer(let size)) where size >= 0: byteCount = size
            case ("contentType", .string(let text)): attributes.contentType = text
            case ("contentDisposition", .string(let text)): attributes.contentDisposition = text
            case ("contentEncoding", .string(let text)): attributes.contentEncoding = text
            case ("contentLanguage", .string(let text)): attributes.contentLanguage = text
            case ("metadata", .object(let own)): attributes.customMetadata = own.compactMapValues(\.string)
            default: throw .badObject(name, "cannot have '\(key)' as it is written; it has \(Self.form)")
            }
        }
        return ObjectMetadata(
            path: try path(name),
            generation: time,
            metageneration: 1,
            byteCount: byteCount,
            digest: ObjectDigest(md5: Array(repeating: 0, count: ObjectDigest.md5ByteCount), crc32c: 0),
            attributes: attributes,
            timeCreated: time,
            updated: time
        )
    }

    private static let form = """
        size, contentType, contentDisposition, contentEncoding, contentLanguage, and metadata with texts: {"size": 300, \
        "contentType": "image/png", "metadata": {"owner": "alice"}}
        """
}

extension EmulatorError {
    fileprivate static func badObject(_ name: String, _ problem: String) -> Self {
        Self(code: .badData, description: "The object '\(name)' \(problem).")
    }
}
