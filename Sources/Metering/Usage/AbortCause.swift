// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why an exchange broke off.
public enum AbortCause: String, Sendable, Hashable, Codable, CaseIterable {
    /// The client closed or reset the connection.
    case clientClosed
    /// The server ended the connection: it stopped, reached a timeout, or had to by a fault.
    case serverClosed
    /// The client reset the stream of HTTP/2.
    case clientCancelled
    /// The server reset the stream of HTTP/2.
    case serverCancelled
}
