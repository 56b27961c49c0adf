// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a breakdown of usage groups by; the raw value is the `by` of `GET /usage`.
package enum UsageDimension: String, CaseIterable, Sendable {
    /// The object's name.
    case object
    /// The feed post, `owner/feed`, whose image the object is.
    case feed
    /// The user id of the request's token.
    case user
    /// The client SDK and version.
    case client
    /// The operation.
    case operation
    /// The query with its values stripped.
    case query
}
