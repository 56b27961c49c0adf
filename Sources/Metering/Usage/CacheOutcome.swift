// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The client's cache outcome by a download's status.
public enum CacheOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// 200: the client had nothing, and got the whole object.
    case full
    /// 206: the client had a part, or wanted no more than one.
    case partial
    /// 304: the client had the object and asked whether it is still the same.
    case notModified

    /// Returns `nil` for a status that says nothing about a cache.
    init?(downloadStatus status: Int) {
        switch status {
        case 200: self = .full
        case 206: self = .partial
        case 304: self = .notModified
        default: return nil
        }
    }
}
