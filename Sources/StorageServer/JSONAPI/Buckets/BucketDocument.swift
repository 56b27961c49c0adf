// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import ObjectStore

/// The settings of a bucket beyond those that the store itself heeds.
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
        settings.softDeleteSeconds = seconds("softDeletePolicy", key: "retentionDurationSeconds") ?? 0
        settings.retentionSeconds = seconds("retentionPolicy", key: "retentionPeriod")
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

    private func seconds(_ member: String, key: String) -> Int64? {
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

/// The members that follow from those that clients set, as the reference of the bucket resource describes it.
///
/// Source: https://cloud.google.com/storage/docs/json_api/v1/buckets (2026-11).
extension BucketDocument {
    private static let multiRegions: Set<String> = ["US", "EU", "ASIA"]
    private static let dualRegions: Set<String> = ["NAM4", "EUR4", "EUR5", "EUR7", "EUR8", "ASIA1"]
    /// For how long uniform access can be switched off again: 90 days.
    private static let uniformAccessMicroseconds: Int64 = 90 * 24 * 3_600 * 1_000_000

    /// Adds the members that the server sets, and refuses what cannot be.
    mutating func complete(since former: BucketDocument, at now: Int64) throws(StorageFailure) {
        completeLocation()
        try completeRetention(since: former, at: now)
        completeSoftDeletion(since: former, at: now)
        try completeAccess(since: former, at: now)
        completeAutoclass(since: former, at: now)
        completeEncryption(since: former, at: now)
        for key in ["labels", "website", "logging", "encryption"] where resource[key] == .object([:]) {
            resource[key] = nil
        }
        if self["lifecycle", "rule"]?.array?.isEmpty ?? true { resource["lifecycle"] = nil }
        if resource["cors"] == .array([]) { resource["cors"] = nil }
    }

    private mutating func completeLocation() {
        let location = (resource["location"]?.string ?? "US").uppercased()
        let isDual = Self.dualRegions.contains(location) || resource["customPlacementConfig"] != nil
        let isMulti = Self.multiRegions.contains(location)
        resource["location"] = .string(location)
        resource["locationType"] = .string(isDual ? "dual-region" : isMulti ? "multi-region" : "region")
        resource["storageClass"] = .string(resource["storageClass"]?.string ?? "STANDARD")
        if isDual || isMulti { resource["rpo"] = resource["rpo"] ?? .string("DEFAULT") }
    }

    private mutating func completeRetention(since former: BucketDocument, at now: Int64) throws(StorageFailure) {
        let period = self["retentionPolicy", "retentionPeriod"]?.asText.flatMap(Int64.init)
        let before = former["retentionPolicy", "retentionPeriod"]?.asText.flatMap(Int64.init)
        if former["retentionPolicy", "isLocked"]?.isTrue == true, (period ?? 0) < (before ?? 0) {
            throw StorageFailure(
                status: 403,
                message: "Cannot reduce retention duration of a locked Retention Policy for bucket.",
                reason: "forbidden"
            )
        }
        guard let period, period > 0 else {
            resource["retentionPolicy"] = nil
            return
        }
        var policy = resource["retentionPolicy"]?.members ?? [:]
        policy["retentionPeriod"] = .string(String(period))
        if period != before || policy["effectiveTime"] == nil { policy["effectiveTime"] = .time(microseconds: now) }
        resource["retentionPolicy"] = .object(policy)
    }

    private mutating func completeSoftDeletion(since former: BucketDocument, at now: Int64) {
        guard let seconds = self["softDeletePolicy", "retentionDurationSeconds"]?.asText else { return }
        var policy = resource["softDeletePolicy"]?.members ?? [:]
        policy["retentionDurationSeconds"] = .string(seconds)
        let isChanged = former["softDeletePolicy", "retentionDurationSeconds"]?.asText != seconds
        if isChanged || policy["effectiveTime"] == nil { policy["effectiveTime"] = .time(microseconds: now) }
        resource["softDeletePolicy"] = .object(policy)
    }

    private mutating func completeAccess(since former: BucketDocument, at now: Int64) throws(StorageFailure) {
        var configuration = resource["iamConfiguration"]?.members ?? [:]
        let prevention = configuration["publicAccessPrevention"]?.string ?? "inherited"
        guard ["inherited", "enforced", "unspecified"].contains(prevention) else {
            throw .invalid("Invalid argument: publicAccessPrevention must be inherited or enforced.")
        }
        configuration["publicAccessPrevention"] = .string(prevention == "unspecified" ? "inherited" : prevention)
        var access: [String: JSONValue] = ["enabled": .bool(isUniform)]
        if isUniform {
            let end = former.resource["iamConfiguration"]?["uniformBucketLevelAccess", "lockedTime"]
            access["lockedTime"] = end ?? .time(microseconds: now + Self.uniformAccessMicroseconds)
        }
        configuration["uniformBucketLevelAccess"] = .object(access)
        // The name it had before 2019, which old clients still read.
        configuration["bucketPolicyOnly"] = .object(access)
        resource["iamConfiguration"] = .object(configuration)
    }

    private mutating func completeAutoclass(since former: BucketDocument, at now: Int64) {
        guard var autoclass = resource["autoclass"]?.members, let enabled = autoclass["enabled"] else { return }
        let before = former.resource["autoclass"]
        if before?["enabled"] != enabled || autoclass["toggleTime"] == nil {
            autoclass["toggleTime"] = .time(microseconds: now)
        }
        if enabled.isTrue {
            let terminal = autoclass["terminalStorageClass"] ?? .string("NEARLINE")
            autoclass["terminalStorageClass"] = terminal
            if before?["terminalStorageClass"] != terminal || autoclass["terminalStorageClassUpdateTime"] == nil {
                autoclass["terminalStorageClassUpdateTime"] = .time(microseconds: now)
            }
        }
        resource["autoclass"] = .object(autoclass)
    }

    private mutating func completeEncryption(since former: BucketDocument, at now: Int64) {
        var encryption = resource["encryption"]?.members ?? [:]
        for (key, value) in encryption where key.hasSuffix("EncryptionEnforcementConfig") {
            var enforcement = value.members
            enforcement["effectiveTime"] = nil
            if value["restrictionMode"]?.string == "FullyRestricted" {
                let before = former["encryption", key]
                let isSame = before?["restrictionMode"] == value["restrictionMode"]
                enforcement["effectiveTime"] = (isSame ? before?["effectiveTime"] : nil) ?? .time(microseconds: now)
            }
            encryption[key] = .object(enforcement)
        }
        resource["encryption"] = encryption.isEmpty ? nil : .object(encryption)
    }
}
