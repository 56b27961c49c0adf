// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct ResumeTokenTests {
    private let token = ResumeToken(time: noon)

    @Test(arguments: [noon, Timestamp(microseconds: 0), Timestamp(seconds: -62_135_596_800)])
    func `brings a time back`(time: Timestamp) {
        #expect(ResumeToken(ResumeToken(time: time).bytes(of: demo), of: demo)?.time == time)
    }

    @Test func `is of one database`() {
        #expect(ResumeToken(token.bytes(of: DatabaseID(project: "other")), of: demo) == nil)
    }

    @Test func `any other byte spoils it`() {
        let bytes = token.bytes(of: demo)
        for index in bytes.indices {
            var spoiled = bytes
            spoiled[index] ^= 1
            #expect(ResumeToken(spoiled, of: demo) == nil)
        }
        #expect(ResumeToken(Array(bytes.dropLast()), of: demo) == nil)
        #expect(ResumeToken(bytes + [0], of: demo) == nil)
        #expect(ResumeToken(Array("not-a-token".utf8), of: demo) == nil)
    }
}
