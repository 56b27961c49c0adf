// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import GRPCTransport
import SwiftProtobuf
import Testing

@testable import FirestoreServer

/// Requests that are read in place mean what the message's own reader makes of them.
struct RequestReadingTests {
    private static let names = ["projects/p/databases/d/documents/w/a", "projects/p/databases/d/documents/w/é", ""]

    private static let batchGets: [Proto.BatchGetDocumentsRequest] = [
        Proto.BatchGetDocumentsRequest(),
        .with { $0.database = "projects/p/databases/d" },
        .with {
            $0.database = "projects/p/databases/d"
            $0.documents = names
        },
        .with {
            $0.documents = names
            $0.mask.fieldPaths = ["x"]
        },
        .with { $0.newTransaction.readOnly = .init() },
        .with { $0.readTime.seconds = 5 },
    ]

    @Test(arguments: batchGets)
    func `a batch get`(request: Proto.BatchGetDocumentsRequest) throws {
        let bytes: [UInt8] = try request.serializedBytes()
        #expect(try FirestoreGRPC.batchGetRequest(GRPCBytes(bytes)) == request)
    }

    @Test(
        arguments: [
            // A field that comes twice, one that is not known, and one of another kind under a known number.
            [0x0A, 1, 0x61, 0x0A, 1, 0x62], [0x0A, 1, 0x61, 0xF8, 0x07, 1], [0x12, 1, 0x61, 0x10, 5],
            // No UTF-8, cut off, longer than what comes, field 0.
            [0x12, 1, 0xFF], [0x12], [0x12, 9, 0x61], [0x00, 1],
        ] as [[UInt8]]
    )
    func `a batch get that is unusual or damaged`(bytes: [UInt8]) {
        let whole = try? Proto.BatchGetDocumentsRequest(serializedBytes: bytes)
        #expect((try? FirestoreGRPC.batchGetRequest(GRPCBytes(bytes))) == whole)
    }
}
