// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The session that is recorded while the emulator serves, as the console begins and ends it.
package protocol SessionRecordings: Sendable {
    /// The session log; `nil` before one is begun.
    var status: RecordingStatus? { get }
    /// Begins a session log, unless one is being written.
    func start() throws
    /// Ends it; what was recorded stays.
    func stop() throws(RecordingRefusal)
    /// Begins another one in its place.
    func restart() throws
    /// Copies what has been recorded so far; returns `nil` where there is nothing.
    func copy() throws -> SessionCopy?
}

/// A copy of a session log, which its taker removes.
package struct SessionCopy: Sendable {
    let path: String
    let remove: @Sendable () -> Void

    /// Creates a description of a copy.
    package init(path: String, remove: @escaping @Sendable () -> Void) { (self.path, self.remove) = (path, remove) }
}

/// A session log as it grows.
package struct RecordingStatus: Sendable {
    /// The file that the user has named; `nil` for one that the console began.
    package var path: String?
    /// When it was begun, in microseconds since the Unix epoch.
    package var startMicroseconds: Int64
    /// When it was ended; `nil` while it is being written.
    package var endMicroseconds: Int64?
    /// The requests that it has.
    package var requestCount: Int64
    /// Its size.
    package var byteCount: Int64
    /// Whether it was ended for its size.
    package var isFull: Bool

    /// Creates a status.
    package init(
        path: String?,
        startMicroseconds: Int64,
        endMicroseconds: Int64?,
        requestCount: Int64,
        byteCount: Int64,
        isFull: Bool
    ) {
        self.path = path
        (self.startMicroseconds, self.endMicroseconds) = (startMicroseconds, endMicroseconds)
        (self.requestCount, self.byteCount, self.isFull) = (requestCount, byteCount, isFull)
    }

    /// The answer to `GET /console/recording`; docs/console.md has its members.
    var json: JSONText {
        .object(compacting: [
            ("since", .integer(startMicroseconds)),
            ("until", endMicroseconds.map { .integer($0) }),
            ("requests", .integer(requestCount)),
            ("bytes", .integer(byteCount)),
            ("isFull", .boolean(isFull)),
            ("file", path.map { .string($0) }),
        ])
    }
}

/// Why a recording is not ended.
package enum RecordingRefusal: Error {
    /// It goes to a file that the user has named.
    case namedByUser
}
