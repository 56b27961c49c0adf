// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Takes in the downloads of third-party logs, and infers a session from them.
package struct LoggedDownloads: RequestSink {
    /// Requests that do not belong to a session.
    package struct PassedOver: Sendable, Hashable, Codable {
        /// To servers that have nothing to do with Firebase.
        package var otherHostCount: Int64 = 0
        /// Named twice by the logs.
        package var duplicateCount: Int64 = 0
        /// Neither a download of an image nor one of these.
        package var otherCount: Int64 = 0
        /// Lines that are not of their log's format, where these are passed over.
        package var unreadable = UnreadableLines()
    }

    private var activity = LoggedActivity()
    private var sizes: ObjectListing?

    /// Creates an inference from no log yet.
    package init() {}

    /// Takes the objects' sizes from a listing where the logs have none.
    package mutating func setSizes(_ listing: ObjectListing) { sizes = listing }

    package static var isSlow: Bool { true }

    package mutating func take(_ request: borrowing LoggedRequest) throws { try activity.take(request) }

    package mutating func takeDuplicate() { activity.takeDuplicate() }

    package mutating func takeUnreadable(_ line: UnreadableLine) { activity.takeUnreadable(line) }

    /// The requests that do not belong to the session.
    package var passedOver: PassedOver { activity.passedOver }

    /// The session; `nil` when no image was downloaded.
    package func session(
        layouts: [ImageLayout] = [],
        rules: InferenceRules = InferenceRules()
    ) throws(SessionLogError) -> InferredSession? {
        var activity = activity
        if let sizes { activity.noteSizes(sizes) }
        return try InferredSession(activity, header: nil, learned: [], stated: layouts, rules: rules)
    }
}

extension LoggedActivity {
    /// Takes the sizes of a listing for objects without one.
    mutating func noteSizes(_ listing: ObjectListing) {
        for (number, object) in objects.enumerated() where object.byteCount == 0 {
            noteSize(of: number, listing.byteCount(of: object.name, in: object.bucket) ?? 0)
        }
    }
}
