// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How much listening may hold in memory.
package struct ListenLimits: Sendable {
    /// Targets of one stream; further ones are refused.
    package static let targetMax = 1_000
    /// Requests a client may have waiting on one stream; one more ends it.
    package static let waitingRequestMax = 10_000
    /// Documents a limited view keeps beyond its limit, so that the next ones are at hand when some leave.
    static let windowReserveMax = 100
    /// Names in a bloom filter; a larger target's existence filter has only the count.
    static let bloomNameMax = 100_000

    /// Changed documents that wait in one view to be evaluated, and again that wait to be pulled.
    ///
    /// Beyond it they are dropped, and streams that miss them catch up from former versions.
    package var waitingChangeMax = 1_000
    /// Bytes of documents that wait in one view to be evaluated, and again that wait to be pulled.
    package var waitingByteCountMax = 4 << 20
    /// Bytes of documents that wait in all views to be evaluated, and again that wait to be pulled.
    package var allWaitingByteCountMax = 32 << 20
    /// Bytes of documents that one limited query, and all of them together, keep to know who comes next.
    ///
    /// A query without them is read again after each commit.
    package var windowByteCountMax = 8 << 20
    package var allWindowsByteCountMax = 64 << 20
    /// Documents of the first part of an initial result; each further part has twice as many.
    package var firstPartDocumentMax = 1_024
    package var partDocumentMax = 8_192
    /// Bytes of documents after which a part ends: of an initial result, or of what a slow stream missed.
    package var partByteCountMax = 4 << 20

    package init() {}
}
