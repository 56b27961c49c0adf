// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONReading
import ObjectStore

/// What is kept of a bucket beyond what the store itself heeds.
struct BucketDocument: Sendable {
    /// The longest time that a bucket can keep objects: a hundred years.
    ///
    /// Source: https://cloud.google.com/storage/docs/bucket-lock#retention-policy, "3,155,760,000 seconds" (2026-11).
    private static let secondsMax: Int64 = 3_155_760_000

    /// The members of the resource that clients set, completed with those that follow from them.
    var resource: [String: JSONValue] = [:]
    /// The project that the bucket was created in, as the client named it.
    var project: String?
    /// The IAM policy, if one was set.
    var policy: JSONValue?
    /// The notification configurations by their numbers.
    var notifications: [String: JSONValue] = [:]
    /// The managed folders, whose names end with a slash.
    var folders: [String] = []

    /// The document of a bucket about which nothing was said.
    init() {}

    init(_ settings: BucketSettings) {
        guard let text = settings.configuration, let value = try? JSONValue(parsing: Array(text.utf8)) else { return }
        resource = value["resource"]?.members ?? [:]
        project = value["project"]?.string
        policy = value["policy"]
        notifications = value["notifications"]?.members ?? [:]
        folders = value["folders"]?.array?.compactMap(\.string) ?? []
    }

    /// The settings to store: what the store heeds, and all the rest as a text.
    var settings: BucketSettings {
        var settings = BucketSettings()
        settings.isVersioned = self["versioning", "enabled"]?.isTrue ?? false
        settings.softDeleteSeconds = seconds("softDeletePolicy", "retentionDurationSeconds") ?? 0
        settings.retentionSeconds = seconds("retentionPolicy", "retentionPeriod")
        settings.hasDefaultEventBasedHold = resource["defaultEventBasedHold"]?.isTrue ?? false
        settings.storageClass = resource["storageClass"]?.string ?? settings.storageClass
        settings.defaultKeyName = self["encryption", "defaultKmsKeyName"]?.string
        var kept: [String: JSONValue] = ["resource": .object(resource)]
        kept["project"] = project.map(JSONValue.string)
        kept["policy"] = policy
        if !notifications.isEmpty { kept["notifications"] = .object(notifications) }
        if !folders.isEmpty { kept["folders"] = .array(folders.map(JSONValue.string)) }
        settings.configuration = String(decoding: JSONValue.object(kept).encoded, as: UTF8.self)
        return settings
    }

    private func seconds(_ member: String, _ key: String) -> Int64? {
        self[member, key]?.asText.flatMap(Int64.init).map { min(max($0, 0), Self.secondsMax) }
    }

    /// A member of a member of the resource.
    subscript(member: String, key: String) -> JSONValue? { resource[member]?[key] }

    /// Whether access is granted for the bucket as a whole, and access control lists are switched off.
    var isUniform: Bool { resource["iamConfiguration"]?["uniformBucketLevelAccess", "enabled"]?.isTrue ?? false }

    /// Whether the bucket's folders are more than parts of names.
    var isHierarchical: Bool { self["hierarchicalNamespace", "enabled"]?.isTrue ?? false }

    /// Whether nothing may be public.
    var preventsPublicAccess: Bool { self["iamConfiguration", "publicAccessPrevention"]?.string == "enforced" }
}
