// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FirestoreServer

struct CodecTests {
    @Test(
        arguments: [
            (.invalidArgument, 400), (.failedPrecondition, 400), (.permissionDenied, 403), (.notFound, 404),
            (.alreadyExists, 409), (.aborted, 409), (.resourceExhausted, 429), (.unknown, 500), (.unimplemented, 501),
        ] as [(StatusCode, Int)]
    )
    func `maps a code to an HTTP status`(code: StatusCode, status: Int) {
        #expect(code.httpStatus == status)
    }

    @Test func `names every code in capitals`() {
        let names = StatusCode.allCases.map(\.name)
        #expect(Set(names).count == StatusCode.allCases.count)
        #expect(names.allSatisfy { $0 == $0.uppercased() })
    }

    @Test func `makes ids of 20 letters and digits`() {
        let identifiers = (0..<100).map { _ in DocumentIDGenerator.randomID() }
        #expect(Set(identifiers).count == 100)
        #expect(
            identifiers.allSatisfy {
                $0.utf8.count == 20 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        )
    }
}
