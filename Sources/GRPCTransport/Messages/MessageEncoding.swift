// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How messages are compressed, as `grpc-encoding` names it.
enum MessageEncoding: String, CaseIterable {
    case identity
    case gzip
    /// The zlib format, RFC 1950.
    case deflate

    /// The value of this server's `grpc-accept-encoding`.
    static let accepted = allCases.map(\.rawValue).joined(separator: ",")

    /// Whether a client's `grpc-accept-encoding` names the encoding.
    func isAccepted(by list: String) -> Bool {
        list.split(separator: ",").contains { $0.drop { $0 == " " } == rawValue[...] }
    }
}
