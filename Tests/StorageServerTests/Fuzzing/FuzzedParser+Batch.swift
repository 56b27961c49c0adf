// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

@testable import StorageServer

extension FuzzedParser {
    /// Every call of a batch is one that a server may get, with no more bytes than the batch has.
    static func checkBatch(_ bytes: [UInt8]) throws {
        guard let calls = try? BatchParser.parse(bytes, contentType: "multipart/mixed; boundary=b") else { return }
        try promise("calls are counted", (1...BatchParser.callCountMax).contains(calls.count))
        try promise("no byte is made up", calls.reduce(0) { $0 + $1.body.count } <= bytes.count)
        let batch = StorageCall.imagined(.post, "/batch/storage/v1?alt=json", [("authorization", "Bearer a")])
        guard let batch else { return }
        for call in calls {
            let id = call.responseContentID
            try promise("answers bear the ids of their calls", (id == nil) == (call.contentID == nil))
            let request = call.request(in: batch)
            try promise("lengths are told", request.headers[.contentLength] == String(call.body.count))
            if call.isAllowed { request.head.path.flatMap(RequestTarget.init)?.route() }
        }
    }
}
