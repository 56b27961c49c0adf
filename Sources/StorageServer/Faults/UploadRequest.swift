// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

/// The bytes of an upload that a request brings, as far as faults must know.
enum UploadRequest: Equatable {
    /// The whole object.
    case whole
    /// Bytes of a resumable upload, from this position of the object on.
    case chunk(start: Int64)
    /// No bytes: the start of a resumable upload, a question for its state, its end.
    case none

    /// The farthest position that bytes may claim, behind the end of every object: what is added to it overflows never.
    private static let startMax: Int64 = 1 << 50

    init(_ call: StorageCall) {
        if let command = call["X-Goog-Upload-Command"]?.lowercased() {
            let start = call["X-Goog-Upload-Offset"].flatMap { Self.position($0) } ?? 0
            self =
                command.split(separator: ",").contains { $0.drop { $0 == " " } == "upload" }
                ? .chunk(start: start) : .none
        } else if call.target["upload_id"] != nil {
            self = Self.chunk(contentRange: call.request.headers[.contentRange])
        } else {
            self = call.target[.uploadType] == "resumable" ? .none : .whole
        }
    }

    /// Reads `bytes 0-262143/*`; `bytes */*` brings no bytes, and without the header the upload is sent at once.
    private static func chunk(contentRange: String?) -> Self {
        guard let contentRange else { return .chunk(start: 0) }
        let first = contentRange.split(separator: " ").last?.split(separator: "-").first
        return first.flatMap { position($0) }.map(Self.chunk) ?? .none
    }

    private static func position(_ text: some StringProtocol) -> Int64? {
        Int64(text).map { min(max($0, 0), startMax) }
    }

    /// The position of the first byte; `nil` without bytes.
    var start: Int64? {
        switch self {
        case .whole: 0
        case .chunk(let start): start
        case .none: nil
        }
    }
}
