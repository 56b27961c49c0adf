// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The HTTP/2 connection preface (RFC 9113 section 3.4).
enum HTTPPreface {
    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// The protocol that the first bytes of a connection speak.
    enum Verdict: Equatable {
        case http1
        case http2
        /// The bytes so far could become either.
        case undecided
    }

    /// Judges the bytes that a connection began with.
    static func verdict(on start: some Collection<UInt8>) -> Verdict {
        let isPreface = zip(start, bytes).allSatisfy { $0 == $1 }
        guard isPreface else { return .http1 }
        return start.count >= bytes.count ? .http2 : .undecided
    }
}
