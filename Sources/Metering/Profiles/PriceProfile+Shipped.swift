// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PriceProfile {
    /// The names of the profiles that ship.
    public static let shippedNames = embedded.keys.sorted()

    private static let embedded: [String: [UInt8]] = [
        "blaze-appspot": PackageResources.blaze_appspot_json,
        "blaze-firebasestorage-app": PackageResources.blaze_firebasestorage_app_json,
        "firestore-nam5": PackageResources.firestore_nam5_json,
        "firestore-us-central1": PackageResources.firestore_us_central1_json,
        "identity-platform": PackageResources.identity_platform_json,
        "spark-2023": PackageResources.spark_2023_json,
    ]

    /// The 1 GB/day of Cloud Storage after which downloads stopped.
    public static let spark2023 = shippedProfile("spark-2023")

    private static func shippedProfile(_ name: String) -> PriceProfile {
        guard let file = embedded[name] else { preconditionFailure("no profile \(name) ships") }
        do {
            return try PriceProfile(reading: file)
        } catch {
            preconditionFailure("the profile \(name), which ships, is wrong: \(error)")
        }
    }

    /// Finds a profile: one that ships by its name, any other in a file; several, for different items, joined by `+`.
    ///
    /// - Throws: ``ProfileError`` for a name that is neither, for a file that is wrong, and for profiles that do not go
    ///   together.
    public init(named name: String) throws(ProfileError) {
        if FileManager.default.fileExists(atPath: name) {
            self = try Self.find(name)
            return
        }
        var parts: [PriceProfile] = []
        for part in name.split(separator: "+", omittingEmptySubsequences: false) {
            parts.append(try Self.find(String(part)))
        }
        self = try Self.joined(parts)
    }

    private static func find(_ name: String) throws(ProfileError) -> PriceProfile {
        if embedded[name] != nil { return shippedProfile(name) }
        guard let file = FileManager.default.contents(atPath: name) else {
            let names = shippedNames.joined(separator: ", ")
            throw ProfileError(line: nil, message: "'\(name)' is no file, and none of the profiles \(names)")
        }
        do throws(ProfileError) {
            return try PriceProfile(reading: Array(file))
        } catch {
            throw ProfileError(line: nil, message: "\(name): \(error)", isInFile: true)
        }
    }

    private static func joined(_ parts: [PriceProfile]) throws(ProfileError) -> PriceProfile {
        guard var whole = parts.first else { preconditionFailure("splitting leaves at least one part") }
        for part in parts.dropFirst() { whole = try whole.joined(with: part) }
        return whole
    }

    private func joined(with other: PriceProfile) throws(ProfileError) -> PriceProfile {
        if let item = charges.first(where: { other.charge($0.item) != nil })?.item {
            throw ProfileError(line: nil, message: "both \(name) and \(other.name) have a price for '\(item.rawValue)'")
        }
        guard resetZone == other.resetZone, overQuota == other.overQuota else {
            let message = "\(name) and \(other.name) differ in 'resetZone' or 'overQuota', and cannot be joined"
            throw ProfileError(line: nil, message: message)
        }
        return PriceProfile(
            name: "\(name)+\(other.name)",
            title: "\(title); \(other.title)",
            asOf: min(asOf, other.asOf),
            resetZone: resetZone,
            overQuota: overQuota,
            charges: charges + other.charges
        )
    }
}
