// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct TargetIDsTests {
    /// Ids asked for in turn (a minus in front of 100 and more gives one back), and what comes of the last.
    @Test(
        "takes ids as production does",
        arguments: [
            ([0], 1), ([0, 0], 2), ([5], 5), ([5, 5], nil), ([5, -105, 5], 5), ([1, 2, 0], 3), ([2, 0, 0], 3),
            ([0, -101, 0], 2),
        ] as [([Int32], Int32?)]
    )
    func takes(requests: [Int32], expected: Int32?) throws {
        var ids = TargetIDs()
        var taken: Int32?
        for request in requests {
            if request < -100 {
                let isReleased = ids.release(-request - 100)
                #expect(isReleased)
            } else {
                taken = try ids.take(request)
            }
        }
        #expect(taken == expected)
    }

    @Test(
        "refuses for the whole stream",
        arguments: [
            ([-1], FirestoreError.targetIDNegative(-1)), ([0, 7], .targetIDAfterAssigned(7)),
            ([0, 1], .targetIDAfterAssigned(1)),
        ] as [([Int32], FirestoreError)]
    )
    func refuses(requests: [Int32], error: FirestoreError) {
        var ids = TargetIDs()
        #expect(throws: error) {
            for request in requests { _ = try ids.take(request) }
        }
    }

    @Test func `what was not taken cannot be given back`() {
        var ids = TargetIDs()
        let isReleased = ids.release(1)
        #expect(!isReleased)
    }
}
