// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names a commit under way, in the order of arrival.
struct CommitTicket: Hashable, Comparable {
    let ordinal: Int

    static func < (lhs: CommitTicket, rhs: CommitTicket) -> Bool { lhs.ordinal < rhs.ordinal }
}
