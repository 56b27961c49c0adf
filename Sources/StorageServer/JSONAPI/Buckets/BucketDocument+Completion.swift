// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONReading
import ObjectStore

/// What follows from the members that clients set, as the reference of the bucket resource describes it.
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
