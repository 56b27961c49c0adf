// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import ObjectStore
@testable import StorageServer

extension FuzzedParser {
    /// The fields that describe an upload; the same text is given to all.
    private static let fieldNames = [
        "cache-control", "content-disposition", "content-encoding", "content-language", "content-md5", "content-range",
        "content-type", "if-match", "if-none-match", "if-unmodified-since", "x-goog-copy-source-generation",
        "x-goog-copy-source-if-match", "x-goog-custom-time", "x-goog-encryption-key", "x-goog-encryption-key-sha256",
        "x-goog-hash", "x-goog-if-generation-match", "x-goog-if-metageneration-match", "x-goog-meta-a",
        "x-goog-storage-class", "x-goog-upload-command", "x-goog-upload-offset",
    ]

    /// The fields around an upload are read; times and page tokens come back as they were written.
    static func checkUploadHeader(_ text: String) throws {
        if let count = ContentRange(text)?.byteCount { try promise("chunks have a length", count >= 0) }
        try promise("boundaries are not empty", MultipartHeader.boundary(of: text) != "")
        _ = MultipartHeader.contentType(in: Array(text.utf8)[...])
        _ = AcceptedEncodings(text).takesGzip
        _ = EntityTags(text).contains("a")
        _ = try? XMLCopySource.path(text)
        _ = try? FaultPlanRequest(Array(text.utf8))
        _ = Fault.Effect.ofDownload(instruction: text, start: 0)
        try checkTimes(text)
        if let token = try? PageToken(decoding: text) {
            try promise("tokens come back", try PageToken(decoding: token.encoded) == token)
        }
        try checkCall(bearing: text)
    }

    private static func checkTimes(_ text: String) throws {
        _ = UTCTime.seconds(http: text).map(UTCTime.text)
        _ = UTCTime.seconds(basic: text).map(UTCTime.text)
        guard let time = RFC3339.microseconds(text) else { return }
        try promise("times come back", RFC3339.microseconds(RFC3339.fineText(microseconds: time)) == time)
    }

    private static func checkCall(bearing text: String) throws {
        let fields = fieldNames.map { ($0, text) } + [("x-goog-encryption-algorithm", CustomerKey.algorithm)]
        guard let call = StorageCall.imagined(.put, "/bkt/a?upload_id=1", fields) else { return }
        let position = UploadRequest(call).start ?? 0
        try promise("positions can be counted on", (0...Int64.max / 2).contains(position))
        _ = try? XMLConditions(call)
        _ = try? XMLConditions(ofSource: call)
        _ = try? ObjectConditions(call)
        _ = try? CustomerKey.read(call)
        guard let path = ObjectPath(bucket: "bkt", name: "a"), var plan = try? UploadPlan(path, for: call, now: 0)
        else {
            return
        }
        plan.customerKeyHash = nil
        _ = try? plan.attributes { "token" }
        _ = try? plan.expectedDigest(call)
    }
}
