// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The attributes that usage can be grouped by.
///
/// The raw value is what clients write in `by=`.
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
    /// The service.
    case service
    /// The bucket of an object.
    case bucket
    /// The project and the database of a document operation, `project/database`.
    case database
    /// The collection, or collection group, of a document operation.
    case collection
    /// Which form of an image the object is: thumbnail, full, resized.
    case variant
    /// The client's cache outcome of a download: full, partial, notModified.
    case cache
    /// The HTTP status.
    case status
    /// How exchanges ended: complete, malformed, or why they were aborted.
    case outcome
    /// The callers' tags in `X-Firemeter-Tag`.
    case tag
}
