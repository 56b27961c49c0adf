// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The change of an object of Cloud Storage.
package struct ObjectChange: Sendable {
    /// The kinds of changes; the names are those of generation 1.
    package enum Kind: String, Sendable, CaseIterable {
        /// Written, also over another.
        case finalize
        case metadataUpdate
        case delete
        /// No longer the live version, in a bucket that keeps versions.
        case archive

        /// Whether the object is as it was before, so that it does not say when it changed.
        var isRemoval: Bool { self == .delete || self == .archive }

        /// The name in types of generation 2.
        var cloudEventName: String {
            switch self {
            case .finalize: "finalized"
            case .metadataUpdate: "metadataUpdated"
            case .delete: "deleted"
            case .archive: "archived"
            }
        }

        /// The type in generation 1.
        var legacyType: String { "google.storage.object.\(rawValue)" }
        /// The type in generation 2.
        var cloudEventType: String { "google.cloud.storage.object.v1.\(cloudEventName)" }
    }

    let kind: Kind
    let project: String
    let bucket: String
    let name: String
    /// The time of the object's last update, in RFC 3339.
    let updated: String
    let resource: @Sendable () -> JSONText

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - project: The project of the bucket.
    ///   - bucket: The bucket.
    ///   - name: The object.
    ///   - updated: The time of the object's last update, in RFC 3339.
    ///   - resource: The object as the JSON API answers with it; deleted, as it was. Made only when an event is sent.
    package init(
        _ kind: Kind,
        project: String,
        bucket: String,
        name: String,
        updated: String,
        resource: @autoclosure @escaping @Sendable () -> JSONText
    ) {
        (self.kind, self.project, self.bucket, self.name) = (kind, project, bucket, name)
        (self.updated, self.resource) = (updated, resource)
    }
}
